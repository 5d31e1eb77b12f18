ALTER TABLE "result_batches" DROP CONSTRAINT "result_batches_revert_names_its_batch";--> statement-breakpoint
ALTER TABLE "api_key_events" DROP CONSTRAINT "api_key_events_key_of_organization";
--> statement-breakpoint
ALTER TABLE "registrations" DROP CONSTRAINT "registrations_person_id_persons_id_fk";
--> statement-breakpoint
ALTER TABLE "result_batches" DROP CONSTRAINT "result_batches_reverts_result_batches_id_fk";
--> statement-breakpoint
ALTER TABLE "result_batches" DROP CONSTRAINT "result_batches_api_key_id_api_keys_id_fk";
--> statement-breakpoint
ALTER TABLE "results" DROP CONSTRAINT "results_batch_id_result_batches_id_fk";
--> statement-breakpoint
ALTER TABLE "results" DROP CONSTRAINT "results_restored_by_result_batches_id_fk";
--> statement-breakpoint
DROP INDEX "result_batches_by_reverted";--> statement-breakpoint
UPDATE "replaced_results" SET "batch_id" = '00000000-0000-0000-0000-000000000000' WHERE "batch_id" IS NULL;--> statement-breakpoint
UPDATE "results" SET "batch_id" = '00000000-0000-0000-0000-000000000000' WHERE "batch_id" IS NULL;--> statement-breakpoint
ALTER TABLE "replaced_results" ALTER COLUMN "batch_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "results" ALTER COLUMN "batch_id" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "reverted_upload" uuid;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "upload_stands" boolean DEFAULT true NOT NULL;--> statement-breakpoint
WITH RECURSIVE "chain" AS (
  SELECT "id", "id" AS "upload", true AS "stands" FROM "result_batches" WHERE "reverts" IS NULL
  UNION ALL
  SELECT "revert"."id", "chain"."upload", NOT "chain"."stands"
  FROM "chain" JOIN "result_batches" "revert" ON "revert"."reverts" = "chain"."id"
)
UPDATE "result_batches" SET "reverted_upload" = "chain"."upload", "upload_stands" = "chain"."stands"
FROM "chain" WHERE "chain"."id" = "result_batches"."id" AND "result_batches"."reverts" IS NOT NULL;--> statement-breakpoint
ALTER TABLE "api_key_events" ADD CONSTRAINT "api_key_events_key_of_organization" FOREIGN KEY ("api_key_id","organization_id") REFERENCES "public"."api_keys"("id","organization_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "result_batches_by_reverted_upload" ON "result_batches" USING btree ("reverted_upload","received_at","id") WHERE "result_batches"."reverted_upload" is not null;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_revert_names_its_batch" CHECK (("result_batches"."source" = 'revert') = ("result_batches"."reverts" is not null)
        and ("result_batches"."source" = 'revert') = ("result_batches"."reverted_upload" is not null));
--> statement-breakpoint
-- The history of an organization's keys goes with the organization. Nothing else deletes an entry.
CREATE FUNCTION "public"."refuse_deletion_of_history"() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."organizations" WHERE "id" = OLD."organization_id") THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% of %: it is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
END
$$;
--> statement-breakpoint
DROP TRIGGER "api_key_events_are_append_only" ON "public"."api_key_events";
--> statement-breakpoint
CREATE TRIGGER "api_key_events_are_append_only"
  BEFORE UPDATE OR TRUNCATE ON "public"."api_key_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_change_of_history"();
--> statement-breakpoint
CREATE TRIGGER "api_key_events_go_with_their_organization"
  BEFORE DELETE ON "public"."api_key_events"
  FOR EACH ROW EXECUTE FUNCTION "public"."refuse_deletion_of_history"();
