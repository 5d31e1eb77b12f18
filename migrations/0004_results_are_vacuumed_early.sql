-- Counting reads indexes alone, as long as a vacuum has been there since the rows were written. By
-- default one comes after a fifth of the table has changed: of a season's results, after the race.
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
