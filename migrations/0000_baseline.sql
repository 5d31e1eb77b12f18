CREATE TABLE "api_key_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"kind" text NOT NULL,
	"key_prefix" text NOT NULL,
	"actor" text NOT NULL,
	"occurred_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_key_events_kind_known" CHECK ("api_key_events"."kind" in ('created', 'rotated', 'revoked')),
	CONSTRAINT "api_key_events_prefix_length" CHECK (char_length("api_key_events"."key_prefix") = 12),
	CONSTRAINT "api_key_events_actor_not_blank" CHECK (btrim("api_key_events"."actor") <> '')
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"key_prefix" text NOT NULL,
	"key_hash" text NOT NULL,
	"scopes" text[] NOT NULL,
	"last_used_at" timestamp with time zone,
	"expires_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_keys_key_hash" UNIQUE("key_hash"),
	CONSTRAINT "api_keys_id_organization" UNIQUE("id","organization_id"),
	CONSTRAINT "api_keys_name_length" CHECK (char_length("api_keys"."name") between 1 and 100),
	CONSTRAINT "api_keys_prefix_length" CHECK (char_length("api_keys"."key_prefix") = 12),
	CONSTRAINT "api_keys_hash_is_sha256_hex" CHECK ("api_keys"."key_hash" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "api_keys_scopes_known" CHECK (cardinality("api_keys"."scopes") > 0 and "api_keys"."scopes" <@ array['events:read', 'participants:read', 'inscriptions:read', 'stats:read', 'payments:read', 'results:write'])
);
--> statement-breakpoint
CREATE TABLE "board_hidden_names" (
	"registration_id" uuid PRIMARY KEY NOT NULL,
	"hidden_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"event_date" timestamp with time zone NOT NULL,
	"city" text NOT NULL,
	"time_zone" text,
	"registration_opens_at" timestamp with time zone,
	"registration_closes_at" timestamp with time zone,
	"is_active" boolean DEFAULT true NOT NULL,
	"board_enabled" boolean DEFAULT false NOT NULL,
	"board_shows_names" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_registration_opens_before_it_closes" CHECK ("events"."registration_opens_at" <= "events"."registration_closes_at"),
	CONSTRAINT "events_date_in_years_1_to_9999" CHECK ("events"."event_date" >= '0001-01-01 00:00:00+00' and "events"."event_date" < '10000-01-01 00:00:00+00'),
	CONSTRAINT "events_opens_in_years_1_to_9999" CHECK ("events"."registration_opens_at" >= '0001-01-01 00:00:00+00' and "events"."registration_opens_at" < '10000-01-01 00:00:00+00'),
	CONSTRAINT "events_closes_in_years_1_to_9999" CHECK ("events"."registration_closes_at" >= '0001-01-01 00:00:00+00' and "events"."registration_closes_at" < '10000-01-01 00:00:00+00')
);
--> statement-breakpoint
CREATE TABLE "organization_members" (
	"organization_id" uuid NOT NULL,
	"user_id" text NOT NULL,
	"role" text NOT NULL,
	CONSTRAINT "organization_members_organization_id_user_id_pk" PRIMARY KEY("organization_id","user_id"),
	CONSTRAINT "organization_members_role_known" CHECK ("organization_members"."role" in ('owner', 'admin', 'member'))
);
--> statement-breakpoint
CREATE TABLE "organizations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "organizations_name_not_blank" CHECK (btrim("organizations"."name") <> '')
);
--> statement-breakpoint
CREATE TABLE "persons" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"given_names" text,
	"surnames" text,
	"document" text,
	"email" text,
	"mobile_phone" text,
	"gender" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "registrations" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"person_id" uuid NOT NULL,
	"status" text DEFAULT 'PENDING' NOT NULL,
	"given_names" text,
	"surnames" text,
	"document" text,
	"email" text,
	"mobile_phone" text,
	"gender" text,
	"bib_number" text,
	"chip" text,
	"distance" text,
	"category" text,
	"kit_status" text,
	"registered_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "registrations_event_bib" UNIQUE("event_id","bib_number"),
	CONSTRAINT "registrations_id_event" UNIQUE("id","event_id"),
	CONSTRAINT "registrations_status_known" CHECK ("registrations"."status" in ('PENDING', 'PAID', 'CANCELLED')),
	CONSTRAINT "registrations_kit_status_known" CHECK ("registrations"."kit_status" in ('PENDING', 'READY', 'DELIVERED')),
	CONSTRAINT "registrations_bib_trimmed" CHECK ("registrations"."bib_number" = btrim("registrations"."bib_number", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') and "registrations"."bib_number" <> '')
);
--> statement-breakpoint
CREATE TABLE "replaced_results" (
	"registration_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "replaced_results_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"replaced_by" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"restored_by" uuid,
	"status" text NOT NULL,
	"chip_time_ms" bigint,
	"gun_time_ms" bigint,
	"splits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"first_finished_at" timestamp with time zone,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "replaced_results_registration_id_id_pk" PRIMARY KEY("registration_id","id")
);
--> statement-breakpoint
CREATE TABLE "result_batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"key_prefix" text,
	"source" text NOT NULL,
	"file_name" text,
	"reverts" uuid,
	"reverted_upload" uuid,
	"deleted_registration" uuid,
	"upload_stands" boolean DEFAULT true NOT NULL,
	"total_processed" integer NOT NULL,
	"uploaded" integer NOT NULL,
	"updated" integer NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"not_found" integer NOT NULL,
	"errors" integer NOT NULL,
	"duplicates" integer NOT NULL,
	"idempotency_key" uuid,
	"content_hash" text,
	"not_found_places" integer[],
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "result_batches_source_known" CHECK ("result_batches"."source" in ('json', 'csv', 'revert', 'delete')),
	CONSTRAINT "result_batches_counts_add_up" CHECK ("result_batches"."total_processed" = "result_batches"."uploaded" + "result_batches"."updated" + "result_batches"."removed" + "result_batches"."not_found"
        + "result_batches"."errors" + "result_batches"."duplicates"),
	CONSTRAINT "result_batches_unchanged_are_updated" CHECK ("result_batches"."unchanged" between 0 and "result_batches"."updated"),
	CONSTRAINT "result_batches_revert_names_its_batch" CHECK (("result_batches"."source" = 'revert') = ("result_batches"."reverts" is not null)
        and ("result_batches"."source" = 'revert') = ("result_batches"."reverted_upload" is not null)),
	CONSTRAINT "result_batches_deletion_names_its_registration" CHECK (("result_batches"."source" = 'delete') = ("result_batches"."deleted_registration" is not null)),
	CONSTRAINT "result_batches_key_has_content_hash" CHECK (("result_batches"."idempotency_key" is null) = ("result_batches"."content_hash" is null))
);
--> statement-breakpoint
CREATE TABLE "results" (
	"registration_id" uuid PRIMARY KEY NOT NULL,
	"event_id" uuid NOT NULL,
	"batch_id" uuid NOT NULL,
	"restored_by" uuid,
	"status" text NOT NULL,
	"chip_time_ms" bigint,
	"gun_time_ms" bigint,
	"splits" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"first_finished_at" timestamp with time zone,
	"finish_time_ms" bigint GENERATED ALWAYS AS (case when status = 'FINISHED' then coalesce(chip_time_ms, gun_time_ms) end) STORED,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "results_status_known" CHECK ("results"."status" in ('FINISHED', 'DNS', 'DNF', 'DSQ')),
	CONSTRAINT "results_times_not_negative" CHECK ("results"."chip_time_ms" >= 0 and "results"."gun_time_ms" >= 0),
	CONSTRAINT "results_times_only_when_finished" CHECK (("results"."status" = 'FINISHED') = (coalesce("results"."chip_time_ms", "results"."gun_time_ms") is not null))
);
--> statement-breakpoint
ALTER TABLE "api_key_events" ADD CONSTRAINT "api_key_events_key_of_organization" FOREIGN KEY ("api_key_id","organization_id") REFERENCES "public"."api_keys"("id","organization_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "board_hidden_names" ADD CONSTRAINT "board_hidden_names_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replaced_results" ADD CONSTRAINT "replaced_results_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "results" ADD CONSTRAINT "results_registration_of_event" FOREIGN KEY ("registration_id","event_id") REFERENCES "public"."registrations"("id","event_id") ON DELETE cascade ON UPDATE cascade;--> statement-breakpoint
CREATE INDEX "api_key_events_by_time" ON "api_key_events" USING btree ("organization_id","occurred_at");--> statement-breakpoint
CREATE INDEX "api_key_events_by_key" ON "api_key_events" USING btree ("api_key_id","organization_id");--> statement-breakpoint
CREATE INDEX "api_keys_by_creation" ON "api_keys" USING btree ("organization_id","created_at" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "events_by_date" ON "events" USING btree ("organization_id","event_date" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "registrations_by_id" ON "registrations" USING hash ("id");--> statement-breakpoint
CREATE INDEX "registrations_paid_by_time" ON "registrations" USING btree ("event_id","registered_at","id") WHERE "registrations"."status" = 'PAID';--> statement-breakpoint
CREATE INDEX "registrations_by_chip" ON "registrations" USING btree ("event_id",btrim("chip", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')) WHERE "registrations"."chip" is not null;--> statement-breakpoint
CREATE INDEX "registrations_by_document" ON "registrations" USING btree ("event_id",btrim("document", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')) WHERE "registrations"."document" is not null;--> statement-breakpoint
CREATE INDEX "registrations_by_person" ON "registrations" USING btree ("event_id","person_id");--> statement-breakpoint
CREATE INDEX "registrations_of_person" ON "registrations" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "registrations_by_group" ON "registrations" USING btree ("event_id","id","gender","category","distance");--> statement-breakpoint
CREATE INDEX "registrations_by_bucket" ON "registrations" USING btree ("event_id","status","distance","category","kit_status","gender");--> statement-breakpoint
CREATE INDEX "replaced_results_by_batch" ON "replaced_results" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "replaced_results_by_revert" ON "replaced_results" USING btree ("restored_by") WHERE "replaced_results"."restored_by" is not null;--> statement-breakpoint
CREATE INDEX "result_batches_by_time" ON "result_batches" USING btree ("event_id","received_at","id");--> statement-breakpoint
CREATE UNIQUE INDEX "result_batches_idempotency" ON "result_batches" USING btree ("event_id","idempotency_key") WHERE "result_batches"."idempotency_key" is not null;--> statement-breakpoint
CREATE INDEX "result_batches_by_reverted_upload" ON "result_batches" USING btree ("reverted_upload","received_at","id") WHERE "result_batches"."reverted_upload" is not null;--> statement-breakpoint
CREATE INDEX "result_batches_of_key" ON "result_batches" USING btree ("api_key_id");--> statement-breakpoint
CREATE INDEX "results_of_batch" ON "results" USING btree ("batch_id");--> statement-breakpoint
CREATE INDEX "results_by_revert" ON "results" USING btree ("restored_by") WHERE "results"."restored_by" is not null;--> statement-breakpoint
CREATE INDEX "results_by_finish_time" ON "results" USING btree ("event_id","finish_time_ms");--> statement-breakpoint
CREATE INDEX "results_by_id" ON "results" USING hash ("registration_id");--> statement-breakpoint
CREATE INDEX "results_by_registration" ON "results" USING btree ("event_id","registration_id","finish_time_ms");--> statement-breakpoint
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
--> statement-breakpoint
-- The history of API keys is append-only. The functions resolve no name by the search_path of a session.
CREATE FUNCTION "public"."refuse_change_of_history"() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  RAISE EXCEPTION '% of %: it is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "api_key_events_are_append_only"
  BEFORE UPDATE OR TRUNCATE ON "public"."api_key_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_change_of_history"();
--> statement-breakpoint
-- The history of an organization's keys goes with the organization. Nothing else deletes an entry.
CREATE FUNCTION "public"."refuse_deletion_of_history"() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."organizations" WHERE "id" = OLD."organization_id") THEN
    RETURN OLD;
  END IF;
  RAISE EXCEPTION '% of %: it is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "api_key_events_go_with_their_organization"
  BEFORE DELETE ON "public"."api_key_events"
  FOR EACH ROW EXECUTE FUNCTION "public"."refuse_deletion_of_history"();
--> statement-breakpoint
-- Counting reads only indexes, provided that a vacuum has run since the rows were written. By default a vacuum
-- comes after a fifth of the table has changed: for the results of a season, after the race.
ALTER TABLE "public"."results" SET (
  autovacuum_vacuum_insert_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0
);
--> statement-breakpoint
ALTER TABLE "public"."result_batches" SET (
  autovacuum_vacuum_insert_threshold = 1000, autovacuum_vacuum_insert_scale_factor = 0,
  autovacuum_vacuum_threshold = 1000, autovacuum_vacuum_scale_factor = 0,
  autovacuum_analyze_threshold = 1000, autovacuum_analyze_scale_factor = 0
);
--> statement-breakpoint
-- The role of the Worker. It belongs to the whole server, so another database may have created it, or may be
-- creating it now. It cannot log in until an operator gives it a password.
DO $$
BEGIN
  CREATE ROLE "race_results_api" NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL;
END
$$;
--> statement-breakpoint
GRANT USAGE ON SCHEMA "public" TO "race_results_api";
--> statement-breakpoint
-- Tables that other systems write. A row that is locked `for key share` needs the right to update some column.
GRANT SELECT ON "public"."organizations", "public"."organization_members", "public"."events",
  "public"."registrations", "public"."board_hidden_names", "public"."standings" TO "race_results_api";
--> statement-breakpoint
GRANT UPDATE ("board_enabled", "board_shows_names") ON "public"."events" TO "race_results_api";
--> statement-breakpoint
GRANT UPDATE ("id") ON "public"."registrations" TO "race_results_api";
--> statement-breakpoint
-- Tables that the service writes.
GRANT SELECT, INSERT, UPDATE ("key_prefix", "key_hash", "last_used_at", "revoked_at")
  ON "public"."api_keys" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT ON "public"."api_key_events", "public"."result_batches", "public"."replaced_results"
  TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "public"."results" TO "race_results_api";
