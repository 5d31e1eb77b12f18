ALTER TABLE "events" ADD COLUMN "time_zone" text;--> statement-breakpoint
ALTER TABLE "replaced_results" ADD COLUMN "first_finished_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "results" ADD COLUMN "first_finished_at" timestamp with time zone;--> statement-breakpoint
UPDATE "replaced_results" SET "first_finished_at" = "updated_at" WHERE "status" = 'FINISHED';--> statement-breakpoint
UPDATE "results" SET "first_finished_at" = least(
  case when "status" = 'FINISHED' then "updated_at" end,
  (
    select min(kept."updated_at") from "replaced_results" kept
    where kept."registration_id" = "results"."registration_id" and kept."status" = 'FINISHED'
  )
);
