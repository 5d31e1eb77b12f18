-- replacePoints.key
with target as materialized (
  select events.id as event_id, api_keys.id as api_key_id, key_prefix
  from events join api_keys
  on events.organization_id = api_keys.organization_id and events.id = coalesce(api_keys.event_id, events.id)
  where events.id = $eventId and key_hash = $keyHash
  and revoked_at is null and (expires_at is null or expires_at > now()) and $neededScope = any(scopes) for key share),
settings as materialized (
  select event_id, points_version as version from event_settings
  where event_id = (select event_id from target)
),
sent as materialized (
  select ordinal, name, distance, course_order, km
  from rows from (jsonb_to_recordset($items::jsonb) as (name text, distance text, course_order int, km float8))
  with ordinality as item (name, distance, course_order, km, ordinal)
),
compared as materialized (
  select version, coalesce((select json_agg(json_build_object('name', name, 'distance', distance, 'order', course_order, 'km', km) order by ordinal) from event_points where event_id = settings.event_id), '[]') as before,
  coalesce((select json_agg(json_build_object('name', name, 'distance', distance, 'order', course_order, 'km', km) order by ordinal) from sent), '[]') as after
  from settings
),
changed as (
  update event_settings set points_version = points_version + 1
  from compared
  where event_id = (select event_id from target) and points_version = $version::int
  and before::text <> after::text
  returning event_id, points_version as version
),
removed as (
  delete from event_points using changed
  where event_points.event_id = changed.event_id and ordinal > (select count(*) from sent)
),
written as (
  insert into event_points (event_id, ordinal, name, distance, course_order, km)
  select event_id, ordinal, name, distance, course_order, km from sent cross join changed
  on conflict (event_id, ordinal) do update
  set (name, distance, course_order, km) = (excluded.name, excluded.distance, excluded.course_order, excluded.km)
),
recorded as (
  insert into event_changes (event_id, kind, before, after, user_id, api_key_id, key_prefix)
  select event_id, 'points', before::text, after::text, null, api_key_id, key_prefix
  from compared cross join changed join target using (event_id)
)
select coalesce((select changed.version from changed), compared.version) as version,
case when exists (select from changed) then after else before end as told,
exists (select from changed) or before::text = after::text as is_as_sent
from compared;
