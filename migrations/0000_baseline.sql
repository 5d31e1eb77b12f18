CREATE SEQUENCE "public"."effect_order" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;
--> statement-breakpoint
CREATE TABLE "api_key_events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"api_key_id" uuid NOT NULL,
	"event_id" uuid,
	"kind" text NOT NULL,
	"key_prefix" text NOT NULL,
	"actor" text NOT NULL,
	"occurred_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "api_key_events_kind_known" CHECK ("api_key_events"."kind" in ('created', 'renamed', 'rotated', 'revoked')),
	CONSTRAINT "api_key_events_prefix_length" CHECK (char_length("api_key_events"."key_prefix") = 12),
	CONSTRAINT "api_key_events_actor_not_blank" CHECK (btrim("api_key_events"."actor") <> '')
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"event_id" uuid,
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
CREATE TABLE "event_changes" (
	"event_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "event_changes_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"before" text,
	"after" text,
	"user_id" text,
	"api_key_id" uuid,
	"key_prefix" text,
	"reason" text,
	"changed_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "event_changes_event_id_id_pk" PRIMARY KEY("event_id","id"),
	CONSTRAINT "event_changes_by_user_or_key" CHECK (num_nonnulls("event_changes"."user_id", "event_changes"."api_key_id") = 1),
	CONSTRAINT "event_changes_key_has_prefix" CHECK (("event_changes"."api_key_id" is null) = ("event_changes"."key_prefix" is null)),
	CONSTRAINT "event_changes_kind_known" CHECK ("event_changes"."kind" in ('ranking_rule', 'board_enabled', 'board_names', 'board_code', 'hidden_name', 'hidden_distance', 'prizes', 'official_version', 'starts', 'points')),
	CONSTRAINT "event_changes_reason_length" CHECK (char_length("event_changes"."reason") between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "event_points" (
	"event_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"name" text NOT NULL,
	"distance" text,
	"course_order" integer NOT NULL,
	"km" double precision,
	CONSTRAINT "event_points_event_id_ordinal_pk" PRIMARY KEY("event_id","ordinal"),
	CONSTRAINT "event_points_name_length" CHECK (char_length("event_points"."name") between 1 and 100),
	CONSTRAINT "event_points_km_positive" CHECK ("event_points"."km" > 0)
);
--> statement-breakpoint
CREATE TABLE "event_settings" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"board_enabled" boolean DEFAULT false NOT NULL,
	"board_names" text DEFAULT 'none' NOT NULL,
	"board_hidden_distances" text[] DEFAULT '{}' NOT NULL,
	"board_code" text,
	"ranking_rule" text DEFAULT 'chip' NOT NULL,
	"prizes" text DEFAULT 'all' NOT NULL,
	"starts_version" integer DEFAULT 0 NOT NULL,
	"points_version" integer DEFAULT 0 NOT NULL,
	"official_above" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "event_settings_board_code" UNIQUE("board_code"),
	CONSTRAINT "event_settings_board_names_known" CHECK ("event_settings"."board_names" in ('none', 'initials', 'full')),
	CONSTRAINT "event_settings_board_code_length" CHECK (char_length("event_settings"."board_code") = 8),
	CONSTRAINT "event_settings_ranking_rule_known" CHECK ("event_settings"."ranking_rule" in ('chip', 'gun', 'gun_overall')),
	CONSTRAINT "event_settings_prizes_known" CHECK ("event_settings"."prizes" in ('all', 'overall_leaves_category'))
);
--> statement-breakpoint
CREATE TABLE "event_starts" (
	"event_id" uuid NOT NULL,
	"ordinal" integer NOT NULL,
	"name" text NOT NULL,
	"distance" text,
	"bib_from" bigint,
	"bib_to" bigint,
	"starts_at" timestamp with time zone NOT NULL,
	"utc_offset_minutes" integer,
	CONSTRAINT "event_starts_event_id_ordinal_pk" PRIMARY KEY("event_id","ordinal"),
	CONSTRAINT "event_starts_name_length" CHECK (char_length("event_starts"."name") between 1 and 100),
	CONSTRAINT "event_starts_bibs_have_both_ends" CHECK (("event_starts"."bib_from" is null) = ("event_starts"."bib_to" is null)),
	CONSTRAINT "event_starts_bibs_in_order" CHECK ("event_starts"."bib_from" between 0 and "event_starts"."bib_to"),
	CONSTRAINT "event_starts_at_in_years_1_to_9999" CHECK ("event_starts"."starts_at" >= '0001-01-01 00:00:00+00' and "event_starts"."starts_at" < '10000-01-01 00:00:00+00'),
	CONSTRAINT "event_starts_offset_within_a_day" CHECK (abs("event_starts"."utc_offset_minutes") < 24 * 60)
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
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_registration_opens_before_it_closes" CHECK ("events"."registration_opens_at" <= "events"."registration_closes_at"),
	CONSTRAINT "events_date_in_years_1_to_9999" CHECK ("events"."event_date" >= '0001-01-01 00:00:00+00' and "events"."event_date" < '10000-01-01 00:00:00+00'),
	CONSTRAINT "events_opens_in_years_1_to_9999" CHECK ("events"."registration_opens_at" >= '0001-01-01 00:00:00+00' and "events"."registration_opens_at" < '10000-01-01 00:00:00+00'),
	CONSTRAINT "events_closes_in_years_1_to_9999" CHECK ("events"."registration_closes_at" >= '0001-01-01 00:00:00+00' and "events"."registration_closes_at" < '10000-01-01 00:00:00+00')
);
--> statement-breakpoint
CREATE TABLE "known_results" (
	"event_id" uuid PRIMARY KEY NOT NULL,
	"content" text NOT NULL,
	"counts" integer[] NOT NULL,
	"changes" jsonb,
	"since" "xid8" NOT NULL,
	"written_by" "xid8" NOT NULL
);
--> statement-breakpoint
CREATE TABLE "official_results" (
	"event_id" uuid NOT NULL,
	"version" integer NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"made_by" text NOT NULL,
	"rows" integer NOT NULL,
	"digest" text NOT NULL,
	"signature" text NOT NULL,
	"content" text NOT NULL,
	"rank_by" text NOT NULL,
	"document" "bytea" NOT NULL,
	CONSTRAINT "official_results_event_id_version_pk" PRIMARY KEY("event_id","version"),
	CONSTRAINT "official_results_versions" CHECK ("official_results"."version" between 1 and 9999),
	CONSTRAINT "official_results_rule_known" CHECK ("official_results"."rank_by" in ('chip', 'gun', 'gun_overall')),
	CONSTRAINT "official_results_has_rows" CHECK ("official_results"."rows" > 0),
	CONSTRAINT "official_results_digest_is_sha256_hex" CHECK ("official_results"."digest" ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "official_results_document_fits" CHECK (octet_length("official_results"."document") <= 12582912)
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
CREATE TABLE "passing_uploads" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"api_key_id" uuid,
	"key_prefix" text,
	"user_id" text,
	"sender" text,
	"source" text NOT NULL,
	"file_name" text,
	"reverts" uuid,
	"deleted_point" text,
	"total_processed" integer NOT NULL,
	"uploaded" integer NOT NULL,
	"updated" integer NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"not_found" integer NOT NULL,
	"errors" integer NOT NULL,
	"duplicates" integer NOT NULL,
	"left_count" integer DEFAULT 0 NOT NULL,
	"idempotency_key" uuid,
	"content_hash" text,
	"not_found_ordinals" integer[],
	"left_rows" jsonb,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"effect_order" bigint DEFAULT nextval('effect_order'::regclass) NOT NULL,
	CONSTRAINT "passing_uploads_source_known" CHECK ("passing_uploads"."source" in ('json', 'csv', 'revert', 'delete', 'shift')),
	CONSTRAINT "passing_uploads_has_sender" CHECK ("passing_uploads"."api_key_id" is not null or "passing_uploads"."user_id" is not null),
	CONSTRAINT "passing_uploads_sender_length" CHECK (char_length("passing_uploads"."sender") between 1 and 60),
	CONSTRAINT "passing_uploads_counts_add_up" CHECK ("passing_uploads"."total_processed" = "passing_uploads"."uploaded" + "passing_uploads"."updated" + "passing_uploads"."removed" + "passing_uploads"."not_found"
        + "passing_uploads"."errors" + "passing_uploads"."duplicates" + "passing_uploads"."left_count"),
	CONSTRAINT "passing_uploads_unchanged_are_updated" CHECK ("passing_uploads"."unchanged" between 0 and "passing_uploads"."updated"),
	CONSTRAINT "passing_uploads_key_has_content_hash" CHECK (("passing_uploads"."idempotency_key" is null) = ("passing_uploads"."content_hash" is null)),
	CONSTRAINT "passing_uploads_revert_names_its_upload" CHECK (("passing_uploads"."source" = 'revert') = ("passing_uploads"."reverts" is not null)),
	CONSTRAINT "passing_uploads_deletion_names_its_point" CHECK (("passing_uploads"."source" = 'delete') = ("passing_uploads"."deleted_point" is not null))
);
--> statement-breakpoint
CREATE TABLE "passings" (
	"registration_id" uuid NOT NULL,
	"event_id" uuid NOT NULL,
	"point" text NOT NULL,
	"time_ms" bigint NOT NULL,
	"upload_id" uuid NOT NULL,
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "passings_registration_id_event_id_point_pk" PRIMARY KEY("registration_id","event_id","point"),
	CONSTRAINT "passings_time_positive" CHECK ("passings"."time_ms" > 0),
	CONSTRAINT "passings_point_trimmed" CHECK ("passings"."point" = btrim("passings"."point", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff') and char_length("passings"."point") between 1 and 100)
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
CREATE TABLE "replaced_passings" (
	"registration_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "replaced_passings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"point" text NOT NULL,
	"time_ms" bigint NOT NULL,
	"upload_id" uuid NOT NULL,
	"replaced_by" uuid NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "replaced_passings_registration_id_id_pk" PRIMARY KEY("registration_id","id")
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
	"decided_by_person" boolean DEFAULT false NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "replaced_results_registration_id_id_pk" PRIMARY KEY("registration_id","id")
);
--> statement-breakpoint
CREATE TABLE "result_batches" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"event_id" uuid NOT NULL,
	"api_key_id" uuid,
	"key_prefix" text,
	"user_id" text,
	"sender" text,
	"source" text NOT NULL,
	"file_name" text,
	"reason" text,
	"is_by_hand" boolean DEFAULT false NOT NULL,
	"reverts" uuid,
	"reverted_upload" uuid,
	"deleted_registration" uuid,
	"swapped_registrations" uuid[],
	"swapped_passings" integer,
	"start_shift" jsonb,
	"upload_stands" boolean DEFAULT true NOT NULL,
	"total_processed" integer NOT NULL,
	"uploaded" integer NOT NULL,
	"updated" integer NOT NULL,
	"unchanged" integer DEFAULT 0 NOT NULL,
	"removed" integer DEFAULT 0 NOT NULL,
	"not_found" integer NOT NULL,
	"errors" integer NOT NULL,
	"duplicates" integer NOT NULL,
	"left_count" integer DEFAULT 0 NOT NULL,
	"idempotency_key" uuid,
	"content_hash" text,
	"not_found_ordinals" integer[],
	"left_rows" jsonb,
	"not_found_bibs" text[],
	"received_at" timestamp with time zone DEFAULT now() NOT NULL,
	"effect_order" bigint DEFAULT nextval('effect_order'::regclass) NOT NULL,
	CONSTRAINT "result_batches_source_known" CHECK ("result_batches"."source" in ('json', 'csv', 'revert', 'delete', 'shift')),
	CONSTRAINT "result_batches_has_sender" CHECK ("result_batches"."api_key_id" is not null or "result_batches"."user_id" is not null),
	CONSTRAINT "result_batches_sender_length" CHECK (char_length("result_batches"."sender") between 1 and 60),
	CONSTRAINT "result_batches_counts_add_up" CHECK ("result_batches"."total_processed" = "result_batches"."uploaded" + "result_batches"."updated" + "result_batches"."removed" + "result_batches"."not_found"
        + "result_batches"."errors" + "result_batches"."duplicates" + "result_batches"."left_count"),
	CONSTRAINT "result_batches_unchanged_are_updated" CHECK ("result_batches"."unchanged" between 0 and "result_batches"."updated"),
	CONSTRAINT "result_batches_key_has_content_hash" CHECK (("result_batches"."idempotency_key" is null) = ("result_batches"."content_hash" is null)),
	CONSTRAINT "result_batches_reason_length" CHECK (char_length("result_batches"."reason") between 1 and 200),
	CONSTRAINT "result_batches_revert_names_its_batch" CHECK (("result_batches"."source" = 'revert') = ("result_batches"."reverts" is not null)
        and ("result_batches"."source" = 'revert') = ("result_batches"."reverted_upload" is not null)),
	CONSTRAINT "result_batches_deletion_names_its_registration" CHECK (("result_batches"."source" = 'delete') = ("result_batches"."deleted_registration" is not null)),
	CONSTRAINT "result_batches_shift_names_its_start" CHECK (("result_batches"."source" = 'shift') = ("result_batches"."start_shift" is not null))
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
	"decided_by_person" boolean DEFAULT false NOT NULL,
	"finish_time_ms" bigint GENERATED ALWAYS AS (case when status = 'FINISHED' then coalesce(chip_time_ms, gun_time_ms) end) STORED,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "results_status_known" CHECK ("results"."status" in ('FINISHED', 'DNS', 'DNF', 'DSQ')),
	CONSTRAINT "results_times_not_negative" CHECK ("results"."chip_time_ms" >= 0 and "results"."gun_time_ms" >= 0),
	CONSTRAINT "results_times_only_when_finished" CHECK (("results"."status" = 'FINISHED') = (coalesce("results"."chip_time_ms", "results"."gun_time_ms") is not null))
);
--> statement-breakpoint
CREATE TABLE "withdrawn_passings" (
	"registration_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "withdrawn_passings_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"point" text NOT NULL,
	"upload_id" uuid NOT NULL,
	"time_ms" bigint,
	"left_upload_id" uuid,
	CONSTRAINT "withdrawn_passings_registration_id_id_pk" PRIMARY KEY("registration_id","id")
);
--> statement-breakpoint
CREATE TABLE "withdrawn_results" (
	"registration_id" uuid NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "withdrawn_results_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"batch_id" uuid NOT NULL,
	"status" text,
	"chip_time_ms" bigint,
	"gun_time_ms" bigint,
	CONSTRAINT "withdrawn_results_registration_id_id_pk" PRIMARY KEY("registration_id","id")
);
--> statement-breakpoint
ALTER TABLE "api_key_events" ADD CONSTRAINT "api_key_events_key_of_organization" FOREIGN KEY ("api_key_id","organization_id") REFERENCES "public"."api_keys"("id","organization_id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "board_hidden_names" ADD CONSTRAINT "board_hidden_names_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_changes" ADD CONSTRAINT "event_changes_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_points" ADD CONSTRAINT "event_points_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_settings" ADD CONSTRAINT "event_settings_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "event_starts" ADD CONSTRAINT "event_starts_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "known_results" ADD CONSTRAINT "known_results_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "official_results" ADD CONSTRAINT "official_results_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passing_uploads" ADD CONSTRAINT "passing_uploads_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passing_uploads" ADD CONSTRAINT "passing_uploads_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "passings" ADD CONSTRAINT "passings_registration_of_event" FOREIGN KEY ("registration_id","event_id") REFERENCES "public"."registrations"("id","event_id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "replaced_passings" ADD CONSTRAINT "replaced_passings_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "replaced_results" ADD CONSTRAINT "replaced_results_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_api_key_id_api_keys_id_fk" FOREIGN KEY ("api_key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "results" ADD CONSTRAINT "results_registration_of_event" FOREIGN KEY ("registration_id","event_id") REFERENCES "public"."registrations"("id","event_id") ON DELETE cascade ON UPDATE cascade;
--> statement-breakpoint
ALTER TABLE "withdrawn_passings" ADD CONSTRAINT "withdrawn_passings_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
ALTER TABLE "withdrawn_results" ADD CONSTRAINT "withdrawn_results_registration_id_registrations_id_fk" FOREIGN KEY ("registration_id") REFERENCES "public"."registrations"("id") ON DELETE cascade ON UPDATE no action;
--> statement-breakpoint
CREATE INDEX "api_key_events_by_time" ON "api_key_events" USING btree ("organization_id","occurred_at");
--> statement-breakpoint
CREATE INDEX "api_key_events_by_key" ON "api_key_events" USING btree ("api_key_id","organization_id");
--> statement-breakpoint
CREATE INDEX "api_keys_by_creation" ON "api_keys" USING btree ("organization_id","created_at" DESC NULLS FIRST,"id");
--> statement-breakpoint
CREATE INDEX "api_keys_of_event" ON "api_keys" USING btree ("event_id") WHERE "api_keys"."event_id" is not null;
--> statement-breakpoint
CREATE INDEX "events_by_date" ON "events" USING btree ("organization_id","event_date" DESC NULLS FIRST,"id");
--> statement-breakpoint
CREATE INDEX "passing_uploads_by_time" ON "passing_uploads" USING btree ("event_id","received_at","id");
--> statement-breakpoint
CREATE UNIQUE INDEX "passing_uploads_idempotency" ON "passing_uploads" USING btree ("event_id","idempotency_key") WHERE "passing_uploads"."idempotency_key" is not null;
--> statement-breakpoint
CREATE INDEX "passing_uploads_of_key" ON "passing_uploads" USING btree ("api_key_id");
--> statement-breakpoint
CREATE INDEX "passings_by_time" ON "passings" USING btree ("event_id","point","time_ms","registration_id");
--> statement-breakpoint
CREATE INDEX "passings_by_registration" ON "passings" USING hash ("registration_id");
--> statement-breakpoint
CREATE INDEX "registrations_by_id" ON "registrations" USING hash ("id");
--> statement-breakpoint
CREATE INDEX "registrations_paid_by_time" ON "registrations" USING btree ("event_id","registered_at","id") WHERE "registrations"."status" = 'PAID';
--> statement-breakpoint
CREATE INDEX "registrations_by_chip" ON "registrations" USING btree ("event_id",btrim("chip", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')) WHERE "registrations"."chip" is not null;
--> statement-breakpoint
CREATE INDEX "registrations_by_document" ON "registrations" USING btree ("event_id",btrim("document", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')) WHERE "registrations"."document" is not null;
--> statement-breakpoint
CREATE INDEX "registrations_by_person" ON "registrations" USING btree ("event_id","person_id");
--> statement-breakpoint
CREATE INDEX "registrations_of_person" ON "registrations" USING btree ("person_id");
--> statement-breakpoint
CREATE INDEX "registrations_by_group" ON "registrations" USING btree ("event_id","id","gender","category","distance");
--> statement-breakpoint
CREATE INDEX "registrations_by_bucket" ON "registrations" USING btree ("event_id","status","distance","category","kit_status","gender");
--> statement-breakpoint
CREATE INDEX "replaced_passings_by_upload" ON "replaced_passings" USING btree ("upload_id");
--> statement-breakpoint
CREATE INDEX "replaced_passings_by_replacement" ON "replaced_passings" USING btree ("replaced_by");
--> statement-breakpoint
CREATE INDEX "replaced_results_by_batch" ON "replaced_results" USING btree ("batch_id");
--> statement-breakpoint
CREATE INDEX "replaced_results_by_revert" ON "replaced_results" USING btree ("restored_by") WHERE "replaced_results"."restored_by" is not null;
--> statement-breakpoint
CREATE INDEX "result_batches_by_time" ON "result_batches" USING btree ("event_id","received_at","id");
--> statement-breakpoint
CREATE INDEX "result_batches_by_effect" ON "result_batches" USING btree ("event_id","effect_order");
--> statement-breakpoint
CREATE UNIQUE INDEX "result_batches_idempotency" ON "result_batches" USING btree ("event_id","idempotency_key") WHERE "result_batches"."idempotency_key" is not null;
--> statement-breakpoint
CREATE INDEX "result_batches_by_reverted_upload" ON "result_batches" USING btree ("reverted_upload","effect_order") WHERE "result_batches"."reverted_upload" is not null;
--> statement-breakpoint
CREATE INDEX "result_batches_of_key" ON "result_batches" USING btree ("api_key_id");
--> statement-breakpoint
CREATE INDEX "results_of_batch" ON "results" USING btree ("batch_id");
--> statement-breakpoint
CREATE INDEX "results_by_revert" ON "results" USING btree ("restored_by") WHERE "results"."restored_by" is not null;
--> statement-breakpoint
CREATE INDEX "results_by_finish_time" ON "results" USING btree ("event_id","finish_time_ms");
--> statement-breakpoint
CREATE INDEX "results_by_gun_time" ON "results" USING btree ("event_id",(case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end),"finish_time_ms","gun_time_ms");
--> statement-breakpoint
CREATE INDEX "results_by_id" ON "results" USING hash ("registration_id");
--> statement-breakpoint
CREATE INDEX "results_times_by_registration" ON "results" USING btree ("event_id","registration_id","finish_time_ms","gun_time_ms","chip_time_ms");
--> statement-breakpoint
CREATE VIEW "public"."standings" AS (
  select
    result.event_id,
    result.registration_id,
    registration.bib_number,
    result.finish_time_ms,
    rank() over (partition by result.event_id order by finish_time_ms) as "position_overall",
    case when gender is not null then rank() over (partition by result.event_id, gender order by finish_time_ms) end as "position_gender",
    case when category is not null then rank() over (partition by result.event_id, category order by finish_time_ms) end as "position_category",
    rank() over (partition by result.event_id, distance order by case when coalesce(setting.ranking_rule, 'chip') in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) as "position_distance",
    case when gender is not null then rank() over (partition by result.event_id, distance, gender order by case when coalesce(setting.ranking_rule, 'chip') in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_gender",
    case when category is not null then rank() over (partition by result.event_id, distance, gender, category order by case when coalesce(setting.ranking_rule, 'chip') in ('gun') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end) end as "position_distance_category",
    coalesce(setting.ranking_rule, 'chip') as rank_by,
    case when coalesce(setting.ranking_rule, 'chip') in ('gun', 'gun_overall') then case when finish_time_ms is not null then coalesce(gun_time_ms, finish_time_ms) end else finish_time_ms end as rank_time_ms
  from results result
  join registrations registration on registration.id = result.registration_id
  left join event_settings setting on setting.event_id = result.event_id
  where result.finish_time_ms is not null);
--> statement-breakpoint
-- Written by hand from here on.
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
-- The history of a key goes with the key's organization, or with its only event. Nothing else deletes an entry.
CREATE FUNCTION "public"."refuse_deletion_of_history"() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM "public"."organizations" WHERE "id" = OLD."organization_id")
    OR OLD."event_id" IS NOT NULL
      AND NOT EXISTS (SELECT FROM "public"."events" WHERE "id" = OLD."event_id") THEN
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
ALTER TABLE "public"."passings" SET (
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
GRANT UPDATE ("id") ON "public"."events", "public"."registrations" TO "race_results_api";
--> statement-breakpoint
-- Tables that the service writes.
GRANT SELECT, INSERT, UPDATE ("name", "key_prefix", "key_hash", "last_used_at", "revoked_at")
  ON "public"."api_keys" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT ON "public"."api_key_events", "public"."event_changes", "public"."result_batches",
  "public"."replaced_results", "public"."passing_uploads", "public"."replaced_passings",
  "public"."official_results" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON "public"."event_settings" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "public"."event_starts", "public"."event_points" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE, DELETE ON "public"."results", "public"."passings" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT, DELETE ON "public"."withdrawn_results", "public"."withdrawn_passings" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT, INSERT, UPDATE ON "public"."known_results" TO "race_results_api";
--> statement-breakpoint
GRANT INSERT, DELETE ON "public"."board_hidden_names" TO "race_results_api";
--> statement-breakpoint
GRANT USAGE ON SEQUENCE "public"."effect_order" TO "race_results_api";
--> statement-breakpoint
-- /readyz asks which migrations were applied.
GRANT USAGE ON SCHEMA "race_results" TO "race_results_api";
--> statement-breakpoint
GRANT SELECT ON "race_results"."applied_migrations" TO "race_results_api";
--> statement-breakpoint
-- The Worker may not delete uploads. This deletes old ones for it, in steps, and no young ones: these may still be repeated
-- by their idempotency key, or taken back.
CREATE FUNCTION "public"."prune_history"("until" timestamp with time zone) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  "event" uuid;
  "batches" integer;
  "uploads" integer;
BEGIN
  IF "until" IS NULL OR "until" > now() - interval '7 days' THEN
    RAISE EXCEPTION 'The moment must be at least 7 days ago: younger uploads may still be repeated or taken back.'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR "event" IN
    SELECT "id" FROM "public"."events"
    WHERE EXISTS (SELECT FROM "public"."result_batches" WHERE "event_id" = "events"."id" AND "received_at" < "until")
      OR EXISTS (SELECT FROM "public"."passing_uploads" WHERE "event_id" = "events"."id" AND "received_at" < "until")
    ORDER BY "id"
  LOOP
    -- A batch that waited stays if one that took effect before it is young: histories lose their beginning alone.
    WITH "kept" AS MATERIALIZED (
      SELECT min("effect_order") AS "first" FROM "public"."result_batches"
      WHERE "event_id" = "event" AND "received_at" >= "until"
    ), "oldest" AS (
      SELECT "id", "received_at", "updated" - "unchanged" + "removed" AS "replaced"
      FROM "public"."result_batches", "kept"
      WHERE "event_id" = "event" AND "received_at" < "until" AND coalesce("effect_order" < "first", true)
      ORDER BY "received_at", "id" LIMIT 1000
    ), "old" AS MATERIALIZED (
      SELECT "id" FROM (
        SELECT "id", sum("replaced") OVER (ORDER BY "received_at", "id") - "replaced" AS "before_it" FROM "oldest"
      ) "counted" WHERE "before_it" < 100000
    ), "history" AS (
      DELETE FROM "public"."replaced_results"
      WHERE "registration_id" IN (SELECT "id" FROM "public"."registrations" WHERE "event_id" = "event")
        AND "replaced_by" IN (SELECT "id" FROM "old")
    )
    DELETE FROM "public"."result_batches" WHERE "id" IN (SELECT "id" FROM "old");
    GET DIAGNOSTICS "batches" = ROW_COUNT;
    -- The same for uploads of passings.
    WITH "kept" AS MATERIALIZED (
      SELECT min("effect_order") AS "first" FROM "public"."passing_uploads"
      WHERE "event_id" = "event" AND "received_at" >= "until"
    ), "oldest" AS (
      SELECT "id", "received_at", "updated" - "unchanged" + "removed" AS "replaced"
      FROM "public"."passing_uploads", "kept"
      WHERE "event_id" = "event" AND "received_at" < "until" AND coalesce("effect_order" < "first", true)
      ORDER BY "received_at", "id" LIMIT 1000
    ), "old" AS MATERIALIZED (
      SELECT "id" FROM (
        SELECT "id", sum("replaced") OVER (ORDER BY "received_at", "id") - "replaced" AS "before_it" FROM "oldest"
      ) "counted" WHERE "before_it" < 100000
    ), "history" AS (
      DELETE FROM "public"."replaced_passings"
      WHERE "registration_id" IN (SELECT "id" FROM "public"."registrations" WHERE "event_id" = "event")
        AND "replaced_by" IN (SELECT "id" FROM "old")
    )
    DELETE FROM "public"."passing_uploads" WHERE "id" IN (SELECT "id" FROM "old");
    GET DIAGNOSTICS "uploads" = ROW_COUNT;
    IF "batches" + "uploads" > 0 THEN
      RETURN "batches" + "uploads";
    END IF;
  END LOOP;
  RETURN 0;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."prune_history"(timestamp with time zone) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "public"."prune_history"(timestamp with time zone) TO "race_results_api";
