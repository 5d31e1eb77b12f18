CREATE INDEX "registrations_by_id" ON "registrations" USING hash ("id");--> statement-breakpoint
CREATE INDEX "results_by_id" ON "results" USING hash ("registration_id");