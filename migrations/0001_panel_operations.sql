ALTER TABLE "result_batches" ADD COLUMN "user_id" text;--> statement-breakpoint
ALTER TABLE "api_key_events" DROP CONSTRAINT "api_key_events_kind_known";--> statement-breakpoint
ALTER TABLE "api_key_events" ADD CONSTRAINT "api_key_events_kind_known" CHECK ("api_key_events"."kind" in ('created', 'renamed', 'rotated', 'revoked')) NOT VALID;--> statement-breakpoint
GRANT UPDATE ("name") ON "public"."api_keys" TO "race_results_api";
