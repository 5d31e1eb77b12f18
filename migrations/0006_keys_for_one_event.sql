ALTER TABLE "api_key_events" ADD COLUMN "event_id" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "event_id" uuid;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action NOT VALID;--> statement-breakpoint
-- The history of a key goes with the key's organization, or with its only event. Nothing else deletes an entry.
CREATE OR REPLACE FUNCTION "public"."refuse_deletion_of_history"() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."organizations" WHERE "id" = OLD."organization_id")
    OR OLD."event_id" IS NOT NULL
      AND NOT EXISTS (SELECT FROM "public"."events" WHERE "id" = OLD."event_id") THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% of %: it is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
END
$$;
