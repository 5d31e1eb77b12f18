CREATE TABLE "official_results" (
	"event_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"made_by" text NOT NULL,
	"rows" integer NOT NULL,
	"digest" text NOT NULL,
	"signature" text NOT NULL,
	"content" text NOT NULL,
	"document" "bytea" NOT NULL,
	CONSTRAINT "official_results_event_id_version_pk" PRIMARY KEY("event_id","version"),
	CONSTRAINT "official_results_versions" CHECK ("official_results"."version" between 1 and 20),
	CONSTRAINT "official_results_has_rows" CHECK ("official_results"."rows" > 0),
	CONSTRAINT "official_results_digest_is_sha256_hex" CHECK ("official_results"."digest" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "official_results_document_fits" CHECK (octet_length("official_results"."document") <= 12582912)
);
--> statement-breakpoint
ALTER TABLE "official_results" ADD CONSTRAINT "official_results_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
GRANT SELECT, INSERT ON "public"."official_results" TO "race_results_api";
