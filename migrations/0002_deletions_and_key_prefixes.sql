ALTER TABLE "result_batches" DROP CONSTRAINT "result_batches_source_known";--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "key_prefix" text;--> statement-breakpoint
ALTER TABLE "result_batches" ADD COLUMN "deleted_registration" uuid;--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_deletion_names_its_registration" CHECK (("result_batches"."source" = 'delete') = ("result_batches"."deleted_registration" is not null));--> statement-breakpoint
ALTER TABLE "result_batches" ADD CONSTRAINT "result_batches_source_known" CHECK ("result_batches"."source" in ('json', 'csv', 'revert', 'delete'));--> statement-breakpoint
UPDATE "result_batches" SET "key_prefix" = "api_keys"."key_prefix" FROM "api_keys" WHERE "api_keys"."id" = "api_key_id";
