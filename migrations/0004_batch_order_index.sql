-- runs outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "public"."result_batches_by_effect";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "result_batches_by_effect" ON "result_batches" USING btree ("event_id","effect_order" NULLS FIRST,"received_at","id");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "public"."result_batches_by_reverted_upload";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "result_batches_by_reverted_upload" ON "result_batches" USING btree ("reverted_upload","effect_order" NULLS FIRST,"received_at","id") WHERE "result_batches"."reverted_upload" is not null;
