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
ALTER TABLE "api_key_events" ADD CONSTRAINT "api_key_events_key_of_organization" FOREIGN KEY ("api_key_id","organization_id") REFERENCES "public"."api_keys"("id","organization_id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_events_by_time" ON "api_key_events" USING btree ("organization_id","occurred_at");--> statement-breakpoint
CREATE INDEX "api_key_events_by_key" ON "api_key_events" USING btree ("api_key_id","organization_id");--> statement-breakpoint
CREATE INDEX "api_keys_by_creation" ON "api_keys" USING btree ("organization_id","created_at" DESC NULLS FIRST,"id");