CREATE TABLE "result_batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"source" text NOT NULL,
	"total_processed" integer NOT NULL,
	"uploaded" integer NOT NULL,
	"updated" integer NOT NULL,
	"not_found" integer NOT NULL,
	"errors" integer NOT NULL,
	"duplicates" integer NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "result_batches_source_known" CHECK ("result_batches"."source" in ('json', 'csv')),
	CONSTRAINT "result_batches_counts_add_up" CHECK ("result_batches"."total_processed" =
        "result_batches"."uploaded" + "result_batches"."updated" + "result_batches"."not_found" + "result_batches"."errors" + "result_batches"."duplicates")
);
--> statement-breakpoint
CREATE TABLE "results" (
	"registration_id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"status" text NOT NULL,
	"chip_time_ms" bigint,
	"gun_time_ms" bigint,
	"finish_time_ms" bigint GENERATED ALWAYS AS (case when status = 'FINISHED' then coalesce(chip_time_ms, gun_time_ms) end) STORED,
	"splits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "results_status_known" CHECK ("results"."status" in ('FINISHED', 'DNS', 'DNF', 'DSQ')),
	CONSTRAINT "results_times_not_negative" CHECK ("results"."chip_time_ms" >= 0 and "results"."gun_time_ms" >= 0),
	CONSTRAINT "results_times_only_when_finished" CHECK (("results"."status" = 'FINISHED') = (coalesce("results"."chip_time_ms", "results"."gun_time_ms") is not null))
);
--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "results" ADD CONSTRAINT "results_batch_id_result_batches_id_fk" FOREIGN KEY ("batch_id") REFERENCES "public"."result_batches"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "results" ADD CONSTRAINT "results_registration_of_event" FOREIGN KEY ("registration_id","event_id") REFERENCES "public"."registrations"("id","event_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "result_batches_by_time" ON "result_batches" USING btree ("event_id","received_at");--> statement-breakpoint
CREATE INDEX "result_batches_of_key" ON "result_batches" USING btree ("api_key_id");--> statement-breakpoint
CREATE INDEX "results_of_batch" ON "results" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "results_by_finish_time" ON "results" USING btree ("event_id","finish_time_ms");--> statement-breakpoint
CREATE INDEX "results_by_registration" ON "results" USING btree ("event_id","registration_id","finish_time_ms");--> statement-breakpoint
CREATE INDEX "results_by_arrival" ON "results" USING btree ("event_id","updated_at" DESC NULLS FIRST,"finish_time_ms" DESC NULLS FIRST) WHERE "results"."finish_time_ms" is not null;--> statement-breakpoint
CREATE VIEW "public"."standings" AS (
  select
    result.event_id,
    result.registration_id,
    registration.bib_number,
    result.finish_time_ms,
    rank() over (
    partition by result.event_id order by result.finish_time_ms) as position_overall,
    case when registration.gender is not null
    then rank() over (
    partition by result.event_id, registration.gender order by result.finish_time_ms) end as position_gender,
    case when registration.category is not null
    then rank() over (
    partition by result.event_id, registration.category order by result.finish_time_ms) end as position_category,
    case when registration.distance is not null
    then rank() over (
    partition by result.event_id, registration.distance order by result.finish_time_ms) end as position_distance,
    case when registration.distance is not null and registration.gender is not null
    then rank() over (
    partition by result.event_id, registration.distance, registration.gender order by result.finish_time_ms) end as position_distance_gender,
    case when registration.distance is not null and registration.category is not null
    then rank() over (
    partition by result.event_id, registration.distance, registration.category order by result.finish_time_ms) end as position_distance_category
  from results result
  join registrations registration on registration.id = result.registration_id
  where result.finish_time_ms is not null);