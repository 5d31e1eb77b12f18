-- Resolves no name by the search_path of the session that fires it.
CREATE FUNCTION "public"."refuse_change_of_history"() RETURNS trigger
LANGUAGE plpgsql SET search_path = '' AS $$
BEGIN
  RAISE EXCEPTION '% of %: it is append-only', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'restrict_violation', TABLE = TG_TABLE_NAME, SCHEMA = TG_TABLE_SCHEMA;
END
$$;
--> statement-breakpoint
CREATE TRIGGER "api_key_events_are_append_only"
  BEFORE UPDATE OR DELETE OR TRUNCATE ON "public"."api_key_events"
  FOR EACH STATEMENT EXECUTE FUNCTION "public"."refuse_change_of_history"();
