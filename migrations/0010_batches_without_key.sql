-- The Worker before this migration lists no batch without a key, and breaks in no other way.
-- squawk-ignore ban-drop-not-null
ALTER TABLE "result_batches" ALTER COLUMN "api_key_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_has_sender" CHECK ("result_batches"."api_key_id" is not null or "result_batches"."user_id" is not null) NOT VALID;--> statement-breakpoint
GRANT INSERT, DELETE ON "public"."board_hidden_names" TO "race_results_api";
