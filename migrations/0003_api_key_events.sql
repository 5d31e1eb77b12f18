ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_id_organization" UNIQUE("id","organization_id");--> statement-breakpoint
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
ALTER TABLE "api_key_events" ADD CONSTRAINT "api_key_events_key_of_organization" FOREIGN KEY ("api_key_id","organization_id") REFERENCES "public"."api_keys"("id","organization_id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "api_key_events_by_time" ON "api_key_events" USING btree ("organization_id","occurred_at");