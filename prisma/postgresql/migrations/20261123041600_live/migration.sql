-- prismapi live 0iOSLSh6A-MaHjzJ3N-zBX

CREATE OR REPLACE FUNCTION "prismapi_truncated"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
  VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), TG_ARGV[0], '', 'truncate', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "prismapi_User"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'User', NEW."id"::text, 'create', NULL, jsonb_build_object('id', NEW."id", 'name', NEW."name", 'email', NEW."email", 'role', NEW."role", 'createdAt', NEW."createdAt", 'updatedAt', NEW."updatedAt"), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'User', OLD."id"::text, 'delete', jsonb_build_object('id', OLD."id", 'name', OLD."name", 'email', OLD."email", 'role', OLD."role", 'createdAt', OLD."createdAt", 'updatedAt', OLD."updatedAt"), NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF OLD."id"::text <> NEW."id"::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'User', OLD."id"::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := jsonb_build_object('id', OLD."id", 'name', OLD."name", 'email', OLD."email", 'role', OLD."role", 'createdAt', OLD."createdAt", 'updatedAt', OLD."updatedAt");
    now_is := jsonb_build_object('id', NEW."id", 'name', NEW."name", 'email', NEW."email", 'role', NEW."role", 'createdAt', NEW."createdAt", 'updatedAt', NEW."updatedAt");
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'User', NEW."id"::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "User"
  FOR EACH ROW EXECUTE FUNCTION "prismapi_User"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "User"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('User');

CREATE OR REPLACE FUNCTION "prismapi_Profile"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Profile', NEW."id"::text, 'create', NULL, jsonb_build_object('id', NEW."id", 'bio', NEW."bio", 'website', NEW."website", 'userId', NEW."userId"), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Profile', OLD."id"::text, 'delete', jsonb_build_object('id', OLD."id", 'bio', OLD."bio", 'website', OLD."website", 'userId', OLD."userId"), NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF OLD."id"::text <> NEW."id"::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Profile', OLD."id"::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := jsonb_build_object('id', OLD."id", 'bio', OLD."bio", 'website', OLD."website", 'userId', OLD."userId");
    now_is := jsonb_build_object('id', NEW."id", 'bio', NEW."bio", 'website', NEW."website", 'userId', NEW."userId");
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Profile', NEW."id"::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "Profile"
  FOR EACH ROW EXECUTE FUNCTION "prismapi_Profile"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "Profile"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('Profile');

CREATE OR REPLACE FUNCTION "prismapi_Post"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Post', NEW."id"::text, 'create', NULL, jsonb_build_object('id', NEW."id", 'title', NEW."title", 'slug', NEW."slug", 'content', NEW."content", 'synopsis', NEW."synopsis", 'publishedAt', NEW."publishedAt", 'deletedAt', NEW."deletedAt", 'createdAt', NEW."createdAt", 'updatedAt', NEW."updatedAt", 'authorId', NEW."authorId"), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Post', OLD."id"::text, 'delete', jsonb_build_object('id', OLD."id", 'title', OLD."title", 'slug', OLD."slug", 'content', OLD."content", 'synopsis', OLD."synopsis", 'publishedAt', OLD."publishedAt", 'deletedAt', OLD."deletedAt", 'createdAt', OLD."createdAt", 'updatedAt', OLD."updatedAt", 'authorId', OLD."authorId"), NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF OLD."id"::text <> NEW."id"::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Post', OLD."id"::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := jsonb_build_object('id', OLD."id", 'title', OLD."title", 'slug', OLD."slug", 'content', OLD."content", 'synopsis', OLD."synopsis", 'publishedAt', OLD."publishedAt", 'deletedAt', OLD."deletedAt", 'createdAt', OLD."createdAt", 'updatedAt', OLD."updatedAt", 'authorId', OLD."authorId");
    now_is := jsonb_build_object('id', NEW."id", 'title', NEW."title", 'slug', NEW."slug", 'content', NEW."content", 'synopsis', NEW."synopsis", 'publishedAt', NEW."publishedAt", 'deletedAt', NEW."deletedAt", 'createdAt', NEW."createdAt", 'updatedAt', NEW."updatedAt", 'authorId', NEW."authorId");
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Post', NEW."id"::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "Post"
  FOR EACH ROW EXECUTE FUNCTION "prismapi_Post"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "Post"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('Post');

CREATE OR REPLACE FUNCTION "prismapi_Tag"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Tag', NEW."id"::text, 'create', NULL, jsonb_build_object('id', NEW."id", 'name', NEW."name"), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Tag', OLD."id"::text, 'delete', jsonb_build_object('id', OLD."id", 'name', OLD."name"), NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF OLD."id"::text <> NEW."id"::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Tag', OLD."id"::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := jsonb_build_object('id', OLD."id", 'name', OLD."name");
    now_is := jsonb_build_object('id', NEW."id", 'name', NEW."name");
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Tag', NEW."id"::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "Tag"
  FOR EACH ROW EXECUTE FUNCTION "prismapi_Tag"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "Tag"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('Tag');

CREATE OR REPLACE FUNCTION "prismapi_Video"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Video', NEW."id"::text, 'create', NULL, jsonb_build_object('id', NEW."id", 'title', NEW."title", 'url', NEW."url", 'featured', NEW."featured", 'durationSeconds', NEW."durationSeconds", 'rating', NEW."rating", 'createdAt', NEW."createdAt", 'ownerId', NEW."ownerId"), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Video', OLD."id"::text, 'delete', jsonb_build_object('id', OLD."id", 'title', OLD."title", 'url', OLD."url", 'featured', OLD."featured", 'durationSeconds', OLD."durationSeconds", 'rating', OLD."rating", 'createdAt', OLD."createdAt", 'ownerId', OLD."ownerId"), NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF OLD."id"::text <> NEW."id"::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Video', OLD."id"::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := jsonb_build_object('id', OLD."id", 'title', OLD."title", 'url', OLD."url", 'featured', OLD."featured", 'durationSeconds', OLD."durationSeconds", 'rating', OLD."rating", 'createdAt', OLD."createdAt", 'ownerId', OLD."ownerId");
    now_is := jsonb_build_object('id', NEW."id", 'title', NEW."title", 'url', NEW."url", 'featured', NEW."featured", 'durationSeconds', NEW."durationSeconds", 'rating', NEW."rating", 'createdAt', NEW."createdAt", 'ownerId', NEW."ownerId");
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Video', NEW."id"::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "Video"
  FOR EACH ROW EXECUTE FUNCTION "prismapi_Video"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "Video"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('Video');

CREATE OR REPLACE FUNCTION "prismapi_Comment"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Comment', NEW."id"::text, 'create', NULL, jsonb_build_object('id', NEW."id", 'content', NEW."content", 'createdAt', NEW."createdAt", 'authorId', NEW."authorId", 'postId', NEW."postId", 'videoId', NEW."videoId"), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Comment', OLD."id"::text, 'delete', jsonb_build_object('id', OLD."id", 'content', OLD."content", 'createdAt', OLD."createdAt", 'authorId', OLD."authorId", 'postId', OLD."postId", 'videoId', OLD."videoId"), NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF OLD."id"::text <> NEW."id"::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Comment', OLD."id"::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := jsonb_build_object('id', OLD."id", 'content', OLD."content", 'createdAt', OLD."createdAt", 'authorId', OLD."authorId", 'postId', OLD."postId", 'videoId', OLD."videoId");
    now_is := jsonb_build_object('id', NEW."id", 'content', NEW."content", 'createdAt', NEW."createdAt", 'authorId', NEW."authorId", 'postId', NEW."postId", 'videoId', NEW."videoId");
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), 'Comment', NEW."id"::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "Comment"
  FOR EACH ROW EXECUTE FUNCTION "prismapi_Comment"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "Comment"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('Comment');

CREATE OR REPLACE FUNCTION "prismapi__PostToTag"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_PostToTag', jsonb_build_array(NEW."A"::text, NEW."B"::text)::text, 'create', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_PostToTag', jsonb_build_array(OLD."A"::text, OLD."B"::text)::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF jsonb_build_array(OLD."A"::text, OLD."B"::text)::text <> jsonb_build_array(NEW."A"::text, NEW."B"::text)::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_PostToTag', jsonb_build_array(OLD."A"::text, OLD."B"::text)::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := NULL;
    now_is := NULL;
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_PostToTag', jsonb_build_array(NEW."A"::text, NEW."B"::text)::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "_PostToTag"
  FOR EACH ROW EXECUTE FUNCTION "prismapi__PostToTag"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "_PostToTag"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('_PostToTag');

CREATE OR REPLACE FUNCTION "prismapi__TagToVideo"() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  was jsonb; now_is jsonb;
BEGIN
  IF TG_OP = 'INSERT' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_TagToVideo', jsonb_build_array(NEW."A"::text, NEW."B"::text)::text, 'create', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF TG_OP = 'DELETE' THEN
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_TagToVideo', jsonb_build_array(OLD."A"::text, OLD."B"::text)::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  ELSIF to_jsonb(OLD) <> to_jsonb(NEW) THEN
    IF jsonb_build_array(OLD."A"::text, OLD."B"::text)::text <> jsonb_build_array(NEW."A"::text, NEW."B"::text)::text THEN
      INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_TagToVideo', jsonb_build_array(OLD."A"::text, OLD."B"::text)::text, 'delete', NULL, NULL, nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
    END IF;
    was := NULL;
    now_is := NULL;
    INSERT INTO "Change" ("transaction", "at", "model", "key", "action", "before", "after", "request", "user")
    VALUES (pg_current_xact_id()::text::bigint, clock_timestamp(), '_TagToVideo', jsonb_build_array(NEW."A"::text, NEW."B"::text)::text, 'update', (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(was) each WHERE each.value IS DISTINCT FROM now_is -> each.key), (SELECT coalesce(jsonb_object_agg(each.key, each.value), '{}') FROM jsonb_each(now_is) each WHERE each.value IS DISTINCT FROM was -> each.key), nullif(current_setting('prismapi.request', true), ''), nullif(current_setting('prismapi.user', true), ''));
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER "prismapi_change" AFTER INSERT OR UPDATE OR DELETE ON "_TagToVideo"
  FOR EACH ROW EXECUTE FUNCTION "prismapi__TagToVideo"();

CREATE OR REPLACE TRIGGER "prismapi_truncated" AFTER TRUNCATE ON "_TagToVideo"
  FOR EACH STATEMENT EXECUTE FUNCTION "prismapi_truncated"('_TagToVideo');
