-- Where a result is counted: the minute of its finish time or, beyond any, one bucket each of
-- DNF, DSQ and DNS, in the order in which they are listed.
CREATE FUNCTION "result_bucket"("status" text, "finish_time_ms" bigint) RETURNS bigint
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE status
    WHEN 'FINISHED' THEN finish_time_ms / 60000
    WHEN 'DNF' THEN 1000000000000001
    WHEN 'DSQ' THEN 1000000000000002
    WHEN 'DNS' THEN 1000000000000003
  END
$$;
--> statement-breakpoint
-- Never one that the event had before, even after its database was restored to an earlier state.
CREATE FUNCTION "version_after"("version" bigint) RETURNS bigint LANGUAGE sql VOLATILE AS $$
  SELECT greatest(version + 1, (extract(epoch FROM clock_timestamp()) * 1000000)::bigint)
$$;
--> statement-breakpoint
-- Every trigger below renews the versions of its events before it counts. That is a lock, taken in
-- the order of the ids: from there to the end of the transaction nobody else counts these events, and
-- the next statement sees all that was counted before. So counts neither drift nor deadlock.
CREATE FUNCTION "renew_versions"("event_ids" uuid[]) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE event_versions SET version = version_after(version)
  FROM (
    SELECT event_id FROM event_versions WHERE event_id = ANY (event_ids)
    ORDER BY event_id FOR NO KEY UPDATE
  ) locked
  WHERE event_versions.event_id = locked.event_id;
END
$$;
--> statement-breakpoint
-- Adds to the cells what the changes have as entries, which may be negative. Fewer are put as if they
-- were new, for only so is a cell found by its whole key, nulls and all; it is always there.
CREATE FUNCTION "change_cells"("changes" result_cells[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing boolean;
BEGIN
  WITH fewer AS (
    INSERT INTO result_cells (event_id, bucket, gender, category, distance, entries)
    SELECT event_id, bucket, gender, category, distance, -entries
    FROM unnest(changes) WHERE entries < 0
    ON CONFLICT (event_id, bucket, gender, category, distance)
      DO UPDATE SET entries = result_cells.entries - excluded.entries
    RETURNING xmax = 0 AS is_new
  )
  SELECT bool_or(is_new) INTO missing FROM fewer;
  IF missing THEN
    RAISE EXCEPTION 'a result left a cell that it was never counted in';
  END IF;

  INSERT INTO result_cells (event_id, bucket, gender, category, distance, entries)
  SELECT event_id, bucket, gender, category, distance, entries
  FROM unnest(changes) WHERE entries > 0
  ON CONFLICT (event_id, bucket, gender, category, distance)
    DO UPDATE SET entries = result_cells.entries + excluded.entries;
END
$$;
--> statement-breakpoint
-- Counts all results of the events afresh.
CREATE FUNCTION "recount_results"("event_ids" uuid[]) RETURNS void LANGUAGE sql AS $$
  DELETE FROM result_cells WHERE event_id = ANY (event_ids);
  INSERT INTO result_cells (event_id, bucket, gender, category, distance, entries)
  SELECT result.event_id, result_bucket(result.status, result.finish_time_ms),
    gender, category, distance, count(*)
  FROM results result JOIN registrations ON registrations.id = registration_id
  WHERE result.event_id = ANY (event_ids)
  GROUP BY 1, 2, 3, 4, 5;
$$;
--> statement-breakpoint

CREATE FUNCTION "version_new_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO event_versions (event_id, version) SELECT id, version_after(0) FROM new_rows;
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "version_changed_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM renew_versions(array(SELECT id FROM new_rows));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "forget_deleted_events"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM result_cells WHERE event_id IN (SELECT id FROM old_rows);
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "count_new_results"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_ids uuid[] := array(SELECT DISTINCT event_id FROM new_rows);
BEGIN
  IF event_ids = '{}' THEN
    RETURN NULL;
  END IF;
  PERFORM renew_versions(event_ids);
  PERFORM change_cells(array(
    SELECT row(result.event_id, result_bucket(result.status, result.finish_time_ms),
      gender, category, distance, count(*))::result_cells
    FROM new_rows result JOIN registrations ON registrations.id = registration_id
    GROUP BY result.event_id, result_bucket(result.status, result.finish_time_ms),
      gender, category, distance
  ));
  RETURN NULL;
END
$$;
--> statement-breakpoint
CREATE FUNCTION "count_changed_results"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_ids uuid[] := array(SELECT DISTINCT event_id FROM new_rows);
BEGIN
  IF event_ids = '{}' THEN
    RETURN NULL;
  END IF;
  PERFORM renew_versions(event_ids);
  PERFORM change_cells(array(
    SELECT row(moved.event_id, bucket, gender, category, distance, sum(change))::result_cells
    FROM (
      SELECT registration_id, event_id, bucket, sum(change) AS change
      FROM (
        SELECT registration_id, event_id, result_bucket(status, finish_time_ms) AS bucket,
          1 AS change
        FROM new_rows
        UNION ALL
        SELECT registration_id, event_id, result_bucket(status, finish_time_ms), -1
        FROM old_rows
      ) counted
      GROUP BY registration_id, event_id, bucket
      HAVING sum(change) <> 0
    ) moved
    JOIN registrations ON registrations.id = registration_id
    GROUP BY moved.event_id, bucket, gender, category, distance
    HAVING sum(change) <> 0
  ));
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- A registration that is deleted with its results takes along what group they were in: then, which is
-- rare, all of its event's are counted afresh. However many go in a statement, this runs once.
CREATE FUNCTION "count_deleted_results"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_ids uuid[] := array(SELECT DISTINCT event_id FROM old_rows);
  orphaned uuid[] := array(
    SELECT DISTINCT event_id FROM old_rows
    WHERE NOT EXISTS (SELECT FROM registrations WHERE id = registration_id)
  );
BEGIN
  IF event_ids = '{}' THEN
    RETURN NULL;
  END IF;
  PERFORM renew_versions(event_ids);
  PERFORM change_cells(array(
    SELECT row(result.event_id, result_bucket(result.status, result.finish_time_ms),
      gender, category, distance, -count(*))::result_cells
    FROM old_rows result JOIN registrations ON registrations.id = registration_id
    WHERE result.event_id <> ALL (orphaned)
    GROUP BY result.event_id, result_bucket(result.status, result.finish_time_ms),
      gender, category, distance
  ));
  IF orphaned <> '{}' THEN
    PERFORM recount_results(orphaned);
  END IF;
  RETURN NULL;
END
$$;
--> statement-breakpoint
-- One statement may not change a registration's group and its result: this would count the result in
-- a group that it never was in.
CREATE FUNCTION "count_regrouped_results"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  event_ids uuid[] := array(
    SELECT DISTINCT new_row.event_id FROM new_rows new_row JOIN old_rows old_row USING (id)
    WHERE (new_row.gender, new_row.category, new_row.distance, new_row.bib_number,
        new_row.given_names, new_row.surnames)
      IS DISTINCT FROM (old_row.gender, old_row.category, old_row.distance, old_row.bib_number,
        old_row.given_names, old_row.surnames)
  );
BEGIN
  IF event_ids = '{}' THEN
    RETURN NULL;
  END IF;
  PERFORM renew_versions(event_ids);
  PERFORM change_cells(array(
    SELECT row(result.event_id, result_bucket(result.status, result.finish_time_ms),
      registration.gender, registration.category, registration.distance,
      sum(change))::result_cells
    FROM (
      SELECT id, gender, category, distance, 1 AS change FROM new_rows
      UNION ALL
      SELECT id, gender, category, distance, -1 FROM old_rows
    ) registration
    JOIN results result ON result.registration_id = registration.id
    GROUP BY result.event_id, result_bucket(result.status, result.finish_time_ms),
      registration.gender, registration.category, registration.distance
    HAVING sum(change) <> 0
  ));
  RETURN NULL;
END
$$;
--> statement-breakpoint

CREATE TRIGGER "version_new_events" AFTER INSERT ON "events"
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "version_new_events"();
--> statement-breakpoint
CREATE TRIGGER "version_changed_events" AFTER UPDATE ON "events"
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "version_changed_events"();
--> statement-breakpoint
CREATE TRIGGER "forget_deleted_events" AFTER DELETE ON "events"
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "forget_deleted_events"();
--> statement-breakpoint
CREATE TRIGGER "count_new_results" AFTER INSERT ON "results"
  REFERENCING NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "count_new_results"();
--> statement-breakpoint
CREATE TRIGGER "count_changed_results" AFTER UPDATE ON "results"
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "count_changed_results"();
--> statement-breakpoint
CREATE TRIGGER "count_deleted_results" AFTER DELETE ON "results"
  REFERENCING OLD TABLE AS old_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "count_deleted_results"();
--> statement-breakpoint
CREATE TRIGGER "count_regrouped_results" AFTER UPDATE ON "registrations"
  REFERENCING OLD TABLE AS old_rows NEW TABLE AS new_rows
  FOR EACH STATEMENT EXECUTE FUNCTION "count_regrouped_results"();
--> statement-breakpoint

-- What was there before. The triggers hold off writers until this is committed.
INSERT INTO "event_versions" ("event_id", "version") SELECT "id", "version_after"(0) FROM "events";
--> statement-breakpoint
SELECT "recount_results"(array(SELECT "id" FROM "events"));
