-- runs outside a transaction
DROP INDEX CONCURRENTLY IF EXISTS "public"."api_keys_of_event";--> statement-breakpoint
CREATE INDEX CONCURRENTLY "api_keys_of_event" ON "api_keys" USING btree ("event_id") WHERE "api_keys"."event_id" is not null;--> statement-breakpoint
ALTER TABLE "api_keys" VALIDATE CONSTRAINT "api_keys_event_id_events_id_fk";
