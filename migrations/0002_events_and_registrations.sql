CREATE TABLE "events" (
	"id" uuid PRIMARY KEY DEFAULT gen_random_uuid() NOT NULL,
	"organization_id" uuid NOT NULL,
	"name" text NOT NULL,
	"event_date" timestamp with time zone NOT NULL,
	"city" text NOT NULL,
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
ALTER TABLE "events" ADD CONSTRAINT "events_organization_id_organizations_id_fk" FOREIGN KEY ("organization_id") REFERENCES "public"."organizations"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "registrations" ADD CONSTRAINT "registrations_person_id_persons_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."persons"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_by_date" ON "events" USING btree ("organization_id","event_date" DESC NULLS FIRST,"id");--> statement-breakpoint
CREATE INDEX "registrations_paid_by_time" ON "registrations" USING btree ("event_id","registered_at","id") WHERE "registrations"."status" = 'PAID';--> statement-breakpoint
CREATE INDEX "registrations_by_chip" ON "registrations" USING btree ("event_id",btrim("chip", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')) WHERE "registrations"."chip" is not null;--> statement-breakpoint
CREATE INDEX "registrations_by_document" ON "registrations" USING btree ("event_id",btrim("document", E'\t\n\u000b\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff')) WHERE "registrations"."document" is not null;--> statement-breakpoint
CREATE INDEX "registrations_by_person" ON "registrations" USING btree ("event_id","person_id");--> statement-breakpoint
CREATE INDEX "registrations_of_person" ON "registrations" USING btree ("person_id");--> statement-breakpoint
CREATE INDEX "registrations_by_group" ON "registrations" USING btree ("event_id","id","gender","category","distance");--> statement-breakpoint
CREATE INDEX "registrations_by_bucket" ON "registrations" USING btree ("event_id","status","distance","category","kit_status","gender");