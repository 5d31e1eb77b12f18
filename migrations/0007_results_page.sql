-- Results of an event, in order: finishers by time, then DNF, DSQ and DNS, each by bib, the shorter one
-- first. A filter that is null lets everything through. There is always a row, for the total; its
-- other columns are null where nothing is found.
--
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
) LANGUAGE plpgsql STABLE SET jit = off AS $$
#variable_conflict use_column
DECLARE
  first_unfinished CONSTANT bigint := result_bucket('DNF', NULL);
  matching bigint;
  buckets bigint[];
  skipped bigint := 0;
  first_bucket bigint;
  last_bucket bigint;
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

  SELECT min(bucket), max(bucket) INTO first_bucket, last_bucket
  FROM unnest(buckets) bucket WHERE bucket < first_unfinished;

  RETURN QUERY
  WITH finisher AS MATERIALIZED (
    SELECT registration_id, finish_time_ms, registration.*, 1 AS entries
    FROM unnest(buckets) bucket
    JOIN results ON event_id = of_event
      AND finish_time_ms >= bucket * 60000 AND finish_time_ms < (bucket + 1) * 60000
    -- Looked up one by one: they are few, whatever the planner takes them for.
    CROSS JOIN LATERAL (
      SELECT gender, category, distance, bib_number FROM registrations
      WHERE id = registration_id OFFSET 0
    ) registration
    WHERE bucket < first_unfinished
  ),
  ranked AS (
    SELECT *,
      1 + coalesce(sum(entries) OVER (ORDER BY finish_time_ms
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS position_overall,
      1 + coalesce(sum(entries) OVER (PARTITION BY gender ORDER BY finish_time_ms
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS position_gender,
      1 + coalesce(sum(entries) OVER (PARTITION BY category ORDER BY finish_time_ms
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS position_category,
      1 + coalesce(sum(entries) OVER (PARTITION BY distance ORDER BY finish_time_ms
        RANGE BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS position_distance
    FROM (
      SELECT * FROM finisher
      UNION ALL
      SELECT NULL, CASE WHEN bucket < first_bucket THEN -1 ELSE bucket * 60000 END AS passed,
        gender, category, distance, NULL, sum(entries)::int
      FROM result_cells
      WHERE event_id = of_event AND bucket < last_bucket AND bucket <> ALL (buckets)
      GROUP BY passed, gender, category, distance
    ) entry
  ),
  standing AS (
    SELECT *, 0 AS bucket FROM ranked WHERE registration_id IS NOT NULL
    UNION ALL
    SELECT registration_id, NULL, registration.*, NULL, NULL, NULL, NULL, NULL,
      result_bucket(status, NULL)
    FROM results
    CROSS JOIN LATERAL (
      SELECT gender, category, distance, bib_number FROM registrations
      WHERE id = registration_id OFFSET 0
    ) registration
    WHERE first_unfinished <= ANY (buckets)
      AND event_id = of_event AND finish_time_ms IS NULL
      AND result_bucket(status, NULL) = ANY (buckets)
  ),
  page AS (
    SELECT * FROM standing
    WHERE (of_bib IS NULL OR bib_number = of_bib)
      AND (of_gender IS NULL OR gender = of_gender)
      AND (of_category IS NULL OR category = of_category)
      AND (of_distance IS NULL OR distance = of_distance)
    ORDER BY bucket, finish_time_ms, char_length(bib_number), bib_number COLLATE "C",
      registration_id
    LIMIT page_size OFFSET greatest(page_offset - skipped, 0)
  )
  SELECT matching::int, page.bib_number, result.status, result.chip_time_ms, result.gun_time_ms,
    result.splits, page.gender, page.category, page.distance, position_overall::int,
    (CASE WHEN gender IS NOT NULL THEN position_gender END)::int,
    (CASE WHEN category IS NOT NULL THEN position_category END)::int,
    (CASE WHEN distance IS NOT NULL THEN position_distance END)::int,
    result.updated_at
  FROM (VALUES (true)) always
  LEFT JOIN (page JOIN results result USING (registration_id)) ON true
  ORDER BY bucket, page.finish_time_ms, char_length(page.bib_number),
    page.bib_number COLLATE "C", registration_id;
END
$$;
