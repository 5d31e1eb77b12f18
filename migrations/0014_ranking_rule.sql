CREATE TABLE "event_changes" (
	"event_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "event_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"before" text,
	"after" text,
	"user_id" text NOT NULL,
	"reason" text,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "event_changes_event_id_id_pk" PRIMARY KEY("event_id","id"),
	CONSTRAINT "event_changes_kind_known" CHECK ("event_changes"."kind" in ('ranking_rule', 'board_enabled', 'board_shows_names', 'hidden_name', 'official_version')),
	CONSTRAINT "event_changes_reason_length" CHECK (char_length("event_changes"."reason") between 1 and 200)
);
--> statement-breakpoint
-- agreed with the owner of the table
ALTER TABLE "events" ADD COLUMN IF NOT EXISTS "ranking_rule" text;--> statement-breakpoint
ALTER TABLE "official_results" ADD COLUMN "rank_by" text;--> statement-breakpoint
ALTER TABLE "event_changes" ADD CONSTRAINT "event_changes_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- The new columns come last, so that the view can be replaced and keeps its grants.
CREATE OR REPLACE VIEW "public"."standings" AS (
  select
    result.event_id,
    result.registration_id,
    registration.bib_number,
    result.finish_time_ms,
    rank() over (partition by result.event_id order by finish_time_ms) as "position_overall",
    case when gender is not null then rank() over (partition by result.event_id, gender order by finish_time_ms) end as "position_gender",
    case when category is not null then rank() over (partition by result.event_id, category order by finish_time_ms) end as "position_category",
    rank() over (partition by result.event_id, distance order by case when event.rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) as "position_distance",
    case when gender is not null then rank() over (partition by result.event_id, distance, gender order by case when event.rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_gender",
    case when category is not null then rank() over (partition by result.event_id, distance, category order by case when event.rank_by in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_category",
    event.rank_by,
    case when event.rank_by in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end as rank_time_ms
  from results result
  join registrations registration on registration.id = result.registration_id
  join (select id, case when ranking_rule in ('chip', 'gun', 'gun_overall') then ranking_rule
    else 'chip' end as rank_by from events) event on event.id = result.event_id
  where result.finish_time_ms is not null);
--> statement-breakpoint
GRANT UPDATE ("ranking_rule") ON "public"."events" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT ON "public"."event_changes" TO "race_results_api";
