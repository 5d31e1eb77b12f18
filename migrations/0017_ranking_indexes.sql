-- runs outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "public"."results_by_gun_time";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "results_by_gun_time" ON "results" USING btree ("event_id",(case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end),"finish_time_ms","gun_time_ms");--> statement-breakpoint
DROP INDEX CONCURRENTLY IF EXISTS "public"."results_times_by_registration";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "results_times_by_registration" ON "results" USING btree ("event_id","registration_id","finish_time_ms","gun_time_ms","chip_time_ms");--> statement-breakpoint
-- The new index begins with the same columns, so it serves the Worker before this migration too.
DROP INDEX CONCURRENTLY IF EXISTS "public"."results_by_registration";
