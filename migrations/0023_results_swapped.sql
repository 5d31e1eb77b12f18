ALTER TABLE "result_batches" ADD COLUMN "swapped_registrations" uuid[];--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "swapped_passings" integer;