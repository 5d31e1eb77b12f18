-- replaceStarts.key
with target as materialized (
  select events.id as event_id, api_keys.id as api_key_id, key_prefix
  from events join api_keys
  on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
  where events.id = $eventId and key_hash = $keyHash
  and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
settings as materialized (
  select event_id, starts_version as version from event_settings
  where event_id = (select event_id from target)
),
sent as materialized (
  select ordinal, name, distance, bib_from, bib_to, starts_at, utc_offset_minutes
  from rows from (jsonb_to_recordset($items::jsonb) as (name text, distance text, bib_from bigint, bib_to bigint, starts_at timestamptz, utc_offset_minutes int))
  with ordinality as item (name, distance, bib_from, bib_to, starts_at, utc_offset_minutes, ordinal)
),
compared as materialized (
  select version, coalesce((select json_agg(json_build_object('name', name, 'distance', distance,
          'bib_from', bib_from, 'bib_to', bib_to,
          'starts_at',
          to_char(
            starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
            'YYYY-MM-DD"T"HH24:MI:SS.MS'
          )
          || case when utc_offset_minutes is null then 'Z' else
          case when utc_offset_minutes < 0 then '-' else '+' end
          || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) order by ordinal) from event_starts where event_id = settings.event_id), '[]') as before,
  coalesce((select json_agg(json_build_object('name', name, 'distance', distance,
          'bib_from', bib_from, 'bib_to', bib_to,
          'starts_at',
          to_char(
            starts_at at time zone 'UTC' + make_interval(mins => coalesce(utc_offset_minutes, 0)),
            'YYYY-MM-DD"T"HH24:MI:SS.MS'
          )
          || case when utc_offset_minutes is null then 'Z' else
          case when utc_offset_minutes < 0 then '-' else '+' end
          || to_char(make_interval(mins => abs(utc_offset_minutes)), 'HH24:MI') end) order by ordinal) from sent), '[]') as after
  from settings
),
changed as (
  update event_settings set starts_version = starts_version + 1
  from compared
  where event_id = (select event_id from target) and starts_version = $version::int
  and before::text <> after::text
  returning event_id, starts_version as version
),
removed as (
  delete from event_starts using changed
  where event_starts.event_id = changed.event_id and ordinal > (select count(*) from sent)
),
written as (
  insert into event_starts (event_id, ordinal, name, distance, bib_from, bib_to, starts_at, utc_offset_minutes)
  select event_id, ordinal, name, distance, bib_from, bib_to, starts_at, utc_offset_minutes from sent cross join changed
  on conflict (event_id, ordinal) do update
  set (name, distance, bib_from, bib_to, starts_at, utc_offset_minutes) = (excluded.name, excluded.distance, excluded.bib_from, excluded.bib_to, excluded.starts_at, excluded.utc_offset_minutes)
),
recorded as (
  insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
  select event_id, 'starts', before::text, after::text, null, api_key_id, key_prefix
  from compared cross join changed join target using (event_id)
)
select coalesce((select changed.version from changed), compared.version) as version,
case when exists (select from changed) then after else before end as told,
exists (select from changed) or before::text = after::text as is_as_sent
from compared;
