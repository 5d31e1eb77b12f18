create function tmp_event_changed() returns trigger language plpgsql as $$
declare changed uuid;
begin
  if tg_table_name = 'events' then changed := new.id; else changed := coalesce(new.event_id, old.event_id); end if;
  insert into event_versions values (changed, 1) on conflict (event_id) do update set version = event_versions.version + 1;
  return null;
end $$;
--> statement-breakpoint
create trigger tmp_e after insert or update on events for each row execute function tmp_event_changed();
--> statement-breakpoint
create trigger tmp_r after insert or update or delete on results for each row execute function tmp_event_changed();
--> statement-breakpoint
create trigger tmp_g after update on registrations for each row execute function tmp_event_changed();
