-- The Worker may not delete uploads. This deletes old ones for it, in steps, and no young ones: these may still be repeated
-- by their idempotency key, or taken back.
CREATE FUNCTION "public"."prune_history"("until" timestamp with time zone) RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = '' AS $$
DECLARE
  "event" uuid;
  "batches" integer;
  "answers" integer;
BEGIN
  IF "until" IS NULL OR "until" > now() - interval '7 days' THEN
    RAISE EXCEPTION 'The moment must be at least 7 days ago: younger uploads may still be repeated or taken back.'
      USING ERRCODE = 'invalid_parameter_value';
  END IF;
  FOR "event" IN
    SELECT "id" FROM "public"."events"
    WHERE EXISTS (SELECT FROM "public"."result_batches" WHERE "event_id" = "events"."id" AND "received_at" < "until")
      OR EXISTS (SELECT FROM "public"."passing_uploads" WHERE "event_id" = "events"."id" AND "received_at" < "until")
    ORDER BY "id"
  LOOP
    -- A batch that waited stays if one that took effect before it is young: histories lose their beginning alone.
    WITH "kept" AS MATERIALIZED (
      SELECT min("effect_order") AS "first" FROM "public"."result_batches"
      WHERE "event_id" = "event" AND "received_at" >= "until"
    ), "oldest" AS (
      SELECT "id", "received_at", "updated" - "unchanged" + "removed" AS "replaced"
      FROM "public"."result_batches", "kept"
      WHERE "event_id" = "event" AND "received_at" < "until" AND coalesce("effect_order" < "first", true)
      ORDER BY "received_at", "id" LIMIT 1000
    ), "old" AS MATERIALIZED (
      SELECT "id" FROM (
        SELECT "id", sum("replaced") OVER (ORDER BY "received_at", "id") - "replaced" AS "before_it" FROM "oldest"
      ) "counted" WHERE "before_it" < 100000
    ), "history" AS (
      DELETE FROM "public"."replaced_results"
      WHERE "registration_id" IN (SELECT "id" FROM "public"."registrations" WHERE "event_id" = "event")
        AND "replaced_by" IN (SELECT "id" FROM "old")
    )
    DELETE FROM "public"."result_batches" WHERE "id" IN (SELECT "id" FROM "old");
    GET DIAGNOSTICS "batches" = ROW_COUNT;
    -- What uploads of passings were answered: only a repeated one asks for it.
    DELETE FROM "public"."passing_uploads" WHERE "event_id" = "event" AND "idempotency_key" IN (
      SELECT "idempotency_key" FROM "public"."passing_uploads"
      WHERE "event_id" = "event" AND "received_at" < "until" LIMIT 10000
    );
    GET DIAGNOSTICS "answers" = ROW_COUNT;
    IF "batches" + "answers" > 0 THEN
      RETURN "batches" + "answers";
    END IF;
  END LOOP;
  RETURN 0;
END
$$;
--> statement-breakpoint
REVOKE ALL ON FUNCTION "public"."prune_history"(timestamp with time zone) FROM PUBLIC;
--> statement-breakpoint
GRANT EXECUTE ON FUNCTION "public"."prune_history"(timestamp with time zone) TO "race_results_api";
