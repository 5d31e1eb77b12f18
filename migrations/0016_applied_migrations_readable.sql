-- /readyz asks which migrations were applied.
GRANT USAGE ON SCHEMA "race_results" TO "race_results_api";--> statement-breakpoint
GRANT SELECT ON "race_results"."applied_migrations" TO "race_results_api";
