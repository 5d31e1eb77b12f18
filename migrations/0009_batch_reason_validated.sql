ALTER TABLE "result_batches" VALIDATE CONSTRAINT "result_batches_reason_length";
