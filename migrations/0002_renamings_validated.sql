ALTER TABLE "api_key_events" VALIDATE CONSTRAINT "api_key_events_kind_known";
