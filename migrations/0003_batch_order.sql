CREATE SEQUENCE "public"."result_batches_effect_order" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1;--> statement-breakpoint
GRANT USAGE ON SEQUENCE "public"."result_batches_effect_order" TO "race_results_api";--> statement-breakpoint
-- The default comes after the column, so that stored batches get no number.
ALTER TABLE "result_batches" ADD COLUMN "effect_order" bigint;--> statement-breakpoint
ALTER TABLE "result_batches" ALTER COLUMN "effect_order" SET DEFAULT nextval('result_batches_effect_order'::regclass);
