CREATE TABLE "passing_uploads" (
	"event_id" uuid NOT NULL,
	"idempotency_key" uuid NOT NULL,
	"content_hash" text NOT NULL,
	"uploaded" integer NOT NULL,
	"updated" integer NOT NULL,
	"unchanged" integer NOT NULL,
	"not_found_places" integer[] NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passing_uploads_idempotency" PRIMARY KEY("event_id","idempotency_key")
);
--> statement-breakpoint
CREATE TABLE "passings" (
	"registration_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"point" text NOT NULL,
	"time_ms" bigint NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passings_registration_id_event_id_point_pk" PRIMARY KEY("registration_id","event_id","point"),
	CONSTRAINT "passings_time_positive" CHECK ("passings"."time_ms" > 0),
	CONSTRAINT "passings_point_trimmed" CHECK ("passings"."point" = btrim("passings"."point", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') and char_length("passings"."point") between 1 and 100)
);
--> statement-breakpoint
ALTER TABLE "passing_uploads" ADD CONSTRAINT "passing_uploads_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "passings" ADD CONSTRAINT "passings_registration_of_event" FOREIGN KEY ("registration_id","event_id") REFERENCES "public"."registrations"("id","event_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "passings_by_time" ON "passings" USING btree ("event_id","point","time_ms","registration_id");--> statement-breakpoint
CREATE INDEX "passings_by_registration" ON "passings" USING hash ("registration_id");--> statement-breakpoint
-- Counting and pages read only indexes, provided that a vacuum has run, as for results.
ALTER TABLE "public"."passings" SET (
  autovacuum_vacuum_insert_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0
);
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "public"."passings" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT ON "public"."passing_uploads" TO "race_results_api";
