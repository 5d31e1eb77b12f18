-- Results of an event, in order: finishers by time, then DNF, DSQ and DNS, each by bib, the shorter one
-- first. A filter that is null lets everything through. There is always a row, for the total; its
-- other columns are null where nothing is found.
--
-- Being STABLE, it sees what the statement that calls it sees, in all its steps.
-- Which buckets the page touches is told by the cells, and only their results are read. Whoever
-- finished before them, or between two of them, is taken from the cells, as so many at once.
CREATE FUNCTION "results_page"(
  "of_event" uuid, "of_status" text, "of_gender" text, "of_category" text, "of_distance" text,
  "of_bib" text, "page_size" bigint, "page_offset" bigint
) RETURNS TABLE (
  "total" int, "bib_number" text, "status" text, "chip_time_ms" bigint,
  "gun_time_ms" bigint, "splits" jsonb, "gender" text, "category" text, "distance" text,
  "position_overall" int, "position_gender" int, "position_category" int, "position_distance" int,
  "updated_at" timestamptz
) LANGUAGE plpgsql STABLE SET jit = off SET plan_cache_mode = force_generic_plan AS $$
#variable_conflict use_column
DECLARE
  first_unfinished CONSTANT bigint := result_bucket('DNF', NULL);
  matching bigint;
  buckets bigint[];
  skipped bigint := 0;
BEGIN
  IF of_bib IS NULL THEN
    SELECT coalesce(max(up_to), 0), coalesce(min(up_to - entries) FILTER (WHERE is_on_page), 0),
      coalesce(array_agg(bucket) FILTER (WHERE is_on_page), '{}')
    INTO matching, skipped, buckets
    FROM (
      SELECT bucket, entries, up_to,
        up_to > page_offset AND up_to - entries < page_offset + page_size AS is_on_page
      FROM (
        SELECT bucket, sum(entries) AS entries, sum(sum(entries)) OVER (ORDER BY bucket) AS up_to
        FROM result_cells
        WHERE event_id = of_event AND entries > 0
          AND (of_status IS NULL
            OR CASE of_status WHEN 'FINISHED' THEN bucket < first_unfinished
              ELSE bucket = result_bucket(of_status, NULL) END)
          AND (of_gender IS NULL OR gender = of_gender)
          AND (of_category IS NULL OR category = of_category)
          AND (of_distance IS NULL OR distance = of_distance)
        GROUP BY bucket
      ) filled
    ) touched;
  ELSE
    SELECT count(*), coalesce(array_agg(result_bucket(results.status, finish_time_ms)), '{}')
    INTO matching, buckets
    FROM registrations JOIN results ON registration_id = id
    WHERE registrations.event_id = of_event AND bib_number = of_bib
      AND (of_status IS NULL OR results.status = of_status)
      AND (of_gender IS NULL OR gender = of_gender)
      AND (of_category IS NULL OR category = of_category)
      AND (of_distance IS NULL OR distance = of_distance);
  END IF;

  RETURN QUERY
  WITH finisher AS MATERIALIZED (
    SELECT registration_id, finish_time_ms, registration.*
    FROM unnest(buckets) bucket
    -- OFFSET 0: looked up one by one, for they are few, whatever the planner takes them for.
    CROSS JOIN LATERAL (
      SELECT registration_id, finish_time_ms FROM results
      WHERE event_id = of_event
        AND finish_time_ms >= bucket * 60000 AND finish_time_ms < (bucket + 1) * 60000
      OFFSET 0
    ) result
    CROSS JOIN LATERAL (
      SELECT gender, category, distance, bib_number FROM registrations
      WHERE id = registration_id OFFSET 0
    ) registration
    WHERE bucket < first_unfinished
  ),
  page AS MATERIALIZED (
    SELECT *
    FROM (
      SELECT *, 0 AS bucket FROM finisher
      UNION ALL
      SELECT registration_id, NULL, registration.*, result_bucket(status, NULL)
      FROM results
      CROSS JOIN LATERAL (
        SELECT gender, category, distance, bib_number FROM registrations
        WHERE id = registration_id OFFSET 0
      ) registration
      WHERE first_unfinished <= ANY (buckets)
        AND event_id = of_event AND finish_time_ms IS NULL
        AND result_bucket(status, NULL) = ANY (buckets)
    ) found
    WHERE (of_bib IS NULL OR bib_number = of_bib)
      AND (of_gender IS NULL OR gender = of_gender)
      AND (of_category IS NULL OR category = of_category)
      AND (of_distance IS NULL OR distance = of_distance)
    ORDER BY bucket, finish_time_ms, char_length(bib_number), bib_number COLLATE "C",
      registration_id
    LIMIT page_size OFFSET greatest(page_offset - skipped, 0)
  ),
  -- Everybody's time is told by how many of the page's times are not above it.
  scale AS MATERIALIZED (
    SELECT array_agg(DISTINCT finish_time_ms ORDER BY finish_time_ms) AS times,
      max(finish_time_ms) AS last_time
    FROM page WHERE finish_time_ms IS NOT NULL
  ),
  standing AS (
    SELECT registration_id,
      coalesce(sum(entries) OVER (ORDER BY step
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS faster,
      CASE WHEN gender IS NOT NULL THEN coalesce(sum(entries) OVER (PARTITION BY gender ORDER BY step
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) END AS faster_of_gender,
      CASE WHEN category IS NOT NULL THEN coalesce(sum(entries) OVER (PARTITION BY category ORDER BY step
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) END AS faster_of_category,
      CASE WHEN distance IS NOT NULL THEN coalesce(sum(entries) OVER (PARTITION BY distance ORDER BY step
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) END AS faster_of_distance
    FROM (
      SELECT NULL::uuid AS registration_id, width_bucket(finish_time_ms, times) AS step,
        gender, category, distance, sum(entries)::int AS entries
      FROM scale CROSS JOIN LATERAL (
        SELECT finish_time_ms, gender, category, distance, 1 AS entries FROM finisher
        WHERE finish_time_ms < last_time
        UNION ALL
        SELECT bucket * 60000, gender, category, distance, entries FROM result_cells
        WHERE event_id = of_event AND bucket < last_time / 60000 AND bucket <> ALL (buckets)
      ) passed
      GROUP BY step, gender, category, distance
      UNION ALL
      SELECT registration_id, width_bucket(finish_time_ms, times), gender, category, distance, 0
      FROM scale, page WHERE finish_time_ms IS NOT NULL
    ) entry
  )
  SELECT matching::int, page.bib_number, result.status, result.chip_time_ms, result.gun_time_ms,
    result.splits, page.gender, page.category, page.distance,
    1 + faster::int, 1 + faster_of_gender::int, 1 + faster_of_category::int,
    1 + faster_of_distance::int,
    result.updated_at
  FROM (VALUES (true)) always
  LEFT JOIN (
    page
    JOIN results result USING (registration_id)
    LEFT JOIN standing USING (registration_id)
  ) ON true
  ORDER BY bucket, page.finish_time_ms, char_length(page.bib_number),
    page.bib_number COLLATE "C", registration_id;
END
$$;
