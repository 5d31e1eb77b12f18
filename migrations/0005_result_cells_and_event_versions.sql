CREATE TABLE "event_versions" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"version" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "result_cells" (
	"event_id" uuid NOT NULL,
	"bucket" bigint NOT NULL,
	"gender" text,
	"category" text,
	"distance" text,
	"entries" integer NOT NULL,
	CONSTRAINT "result_cells_bucket_group" UNIQUE NULLS NOT DISTINCT("event_id","bucket","gender","category","distance"),
	CONSTRAINT "result_cells_entries_not_negative" CHECK ("result_cells"."entries" >= 0)
);
--> statement-breakpoint
DROP INDEX "results_by_finish_time";--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "board_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "events" ADD COLUMN "board_shows_names" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "event_versions" ADD CONSTRAINT "event_versions_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "results_by_finish_time" ON "results" USING btree ("event_id","finish_time_ms");