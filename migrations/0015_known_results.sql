CREATE TABLE "known_results" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"counts" integer[] NOT NULL,
	"since" "xid8" NOT NULL,
	"written_by" "xid8" NOT NULL
);
--> statement-breakpoint
ALTER TABLE "known_results" ADD CONSTRAINT "known_results_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON "public"."known_results" TO "race_results_api";
