CREATE TABLE "replaced_results" (
	"registration_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "replaced_results_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"replaced_by" uuid NOT NULL,
	"batch_id" uuid,
	"restored_by" uuid,
	"status" text NOT NULL,
	"chip_time_ms" bigint,
	"gun_time_ms" bigint,
	"splits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "replaced_results_registration_id_id_pk" PRIMARY KEY("registration_id","id")
);
--> statement-breakpoint
ALTER TABLE "result_batches" DROP CONSTRAINT "result_batches_source_known";--> statement-breakpoint
ALTER TABLE "result_batches" DROP CONSTRAINT "result_batches_counts_add_up";--> statement-breakpoint
ALTER TABLE "results" DROP CONSTRAINT "results_batch_id_result_batches_id_fk";
--> statement-breakpoint
ALTER TABLE "results" DROP CONSTRAINT "results_registration_of_event";
--> statement-breakpoint
DROP INDEX "result_batches_by_time";--> statement-breakpoint
ALTER TABLE "results" ALTER COLUMN "batch_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "file_name" text;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "reverts" uuid;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "unchanged" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "removed" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "idempotency_key" uuid;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "content_hash" text;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "not_found_places" integer[];--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "restored_by" uuid;--> statement-breakpoint
ALTER TABLE "replaced_results" ADD CONSTRAINT "replaced_results_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replaced_results_by_batch" ON "replaced_results" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "replaced_results_by_revert" ON "replaced_results" USING btree ("restored_by") WHERE "replaced_results"."restored_by" is not null;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_reverts_result_batches_id_fk" FOREIGN KEY ("reverts") REFERENCES "public"."result_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "results" ADD CONSTRAINT "results_restored_by_result_batches_id_fk" FOREIGN KEY ("restored_by") REFERENCES "public"."result_batches"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "results" ADD CONSTRAINT "results_batch_id_result_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."result_batches"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "results" ADD CONSTRAINT "results_registration_of_event" FOREIGN KEY ("registration_id","event_id") REFERENCES "public"."registrations"("id","event_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE UNIQUE INDEX "result_batches_idempotency" ON "result_batches" USING btree ("event_id","idempotency_key") WHERE "result_batches"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "result_batches_by_reverted" ON "result_batches" USING btree ("reverts") WHERE "result_batches"."reverts" is not null;--> statement-breakpoint
CREATE INDEX "results_by_revert" ON "results" USING btree ("restored_by") WHERE "results"."restored_by" is not null;--> statement-breakpoint
CREATE INDEX "result_batches_by_time" ON "result_batches" USING btree ("event_id","received_at","id");--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_unchanged_are_updated" CHECK ("result_batches"."unchanged" between 0 and "result_batches"."updated");--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_revert_names_its_batch" CHECK (("result_batches"."source" = 'revert') = ("result_batches"."reverts" is not null));--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_key_has_content_hash" CHECK (("result_batches"."idempotency_key" is null) = ("result_batches"."content_hash" is null));--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_source_known" CHECK ("result_batches"."source" in ('json', 'csv', 'revert'));--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_counts_add_up" CHECK ("result_batches"."total_processed" = "result_batches"."uploaded" + "result_batches"."updated" + "result_batches"."removed" + "result_batches"."not_found"
        + "result_batches"."errors" + "result_batches"."duplicates");