-- prismapi live Mek31lRSmzRmJHBsJDziv_

DROP TRIGGER IF EXISTS "prismapi_User_insert";
CREATE TRIGGER "prismapi_User_insert" AFTER INSERT ON "User"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'User', CAST(NEW."id" AS TEXT), 'create', NULL, (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(NEW."id") AS "value" UNION ALL SELECT 'name' AS "name", json_quote(NEW."name") AS "value" UNION ALL SELECT 'email' AS "name", json_quote(NEW."email") AS "value" UNION ALL SELECT 'role' AS "name", json_quote(NEW."role") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(NEW."createdAt") AS "value" UNION ALL SELECT 'updatedAt' AS "name", json_quote(NEW."updatedAt") AS "value"));
END;

DROP TRIGGER IF EXISTS "prismapi_User_update";
CREATE TRIGGER "prismapi_User_update" AFTER UPDATE ON "User" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY OR OLD."email" IS NOT NEW."email" COLLATE BINARY OR OLD."role" IS NOT NEW."role" COLLATE BINARY OR OLD."passwordHash" IS NOT NEW."passwordHash" COLLATE BINARY OR OLD."createdAt" IS NOT NEW."createdAt" COLLATE BINARY OR OLD."updatedAt" IS NOT NEW."updatedAt" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'User', CAST(OLD."id" AS TEXT), 'delete', NULL, NULL WHERE CAST(OLD."id" AS TEXT) <> CAST(NEW."id" AS TEXT) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'User', CAST(NEW."id" AS TEXT), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'name' AS "name", json_quote(OLD."name") AS "before", json_quote(NEW."name") AS "after" UNION ALL SELECT 'email' AS "name", json_quote(OLD."email") AS "before", json_quote(NEW."email") AS "after" UNION ALL SELECT 'role' AS "name", json_quote(OLD."role") AS "before", json_quote(NEW."role") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'updatedAt' AS "name", json_quote(OLD."updatedAt") AS "before", json_quote(NEW."updatedAt") AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'name' AS "name", json_quote(OLD."name") AS "before", json_quote(NEW."name") AS "after" UNION ALL SELECT 'email' AS "name", json_quote(OLD."email") AS "before", json_quote(NEW."email") AS "after" UNION ALL SELECT 'role' AS "name", json_quote(OLD."role") AS "before", json_quote(NEW."role") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'updatedAt' AS "name", json_quote(OLD."updatedAt") AS "before", json_quote(NEW."updatedAt") AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi_User_delete";
CREATE TRIGGER "prismapi_User_delete" AFTER DELETE ON "User"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'User', CAST(OLD."id" AS TEXT), 'delete', (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "value" UNION ALL SELECT 'name' AS "name", json_quote(OLD."name") AS "value" UNION ALL SELECT 'email' AS "name", json_quote(OLD."email") AS "value" UNION ALL SELECT 'role' AS "name", json_quote(OLD."role") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "value" UNION ALL SELECT 'updatedAt' AS "name", json_quote(OLD."updatedAt") AS "value")), NULL;
END;

DROP TRIGGER IF EXISTS "prismapi_Profile_insert";
CREATE TRIGGER "prismapi_Profile_insert" AFTER INSERT ON "Profile"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Profile', CAST(NEW."id" AS TEXT), 'create', NULL, (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(NEW."id") AS "value" UNION ALL SELECT 'bio' AS "name", json_quote(NEW."bio") AS "value" UNION ALL SELECT 'website' AS "name", json_quote(NEW."website") AS "value" UNION ALL SELECT 'userId' AS "name", json_quote(NEW."userId") AS "value"));
END;

DROP TRIGGER IF EXISTS "prismapi_Profile_update";
CREATE TRIGGER "prismapi_Profile_update" AFTER UPDATE ON "Profile" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."bio" IS NOT NEW."bio" COLLATE BINARY OR OLD."website" IS NOT NEW."website" COLLATE BINARY OR OLD."userId" IS NOT NEW."userId" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Profile', CAST(OLD."id" AS TEXT), 'delete', NULL, NULL WHERE CAST(OLD."id" AS TEXT) <> CAST(NEW."id" AS TEXT) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Profile', CAST(NEW."id" AS TEXT), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'bio' AS "name", json_quote(OLD."bio") AS "before", json_quote(NEW."bio") AS "after" UNION ALL SELECT 'website' AS "name", json_quote(OLD."website") AS "before", json_quote(NEW."website") AS "after" UNION ALL SELECT 'userId' AS "name", json_quote(OLD."userId") AS "before", json_quote(NEW."userId") AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'bio' AS "name", json_quote(OLD."bio") AS "before", json_quote(NEW."bio") AS "after" UNION ALL SELECT 'website' AS "name", json_quote(OLD."website") AS "before", json_quote(NEW."website") AS "after" UNION ALL SELECT 'userId' AS "name", json_quote(OLD."userId") AS "before", json_quote(NEW."userId") AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi_Profile_delete";
CREATE TRIGGER "prismapi_Profile_delete" AFTER DELETE ON "Profile"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Profile', CAST(OLD."id" AS TEXT), 'delete', (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "value" UNION ALL SELECT 'bio' AS "name", json_quote(OLD."bio") AS "value" UNION ALL SELECT 'website' AS "name", json_quote(OLD."website") AS "value" UNION ALL SELECT 'userId' AS "name", json_quote(OLD."userId") AS "value")), NULL;
END;

DROP TRIGGER IF EXISTS "prismapi_Post_insert";
CREATE TRIGGER "prismapi_Post_insert" AFTER INSERT ON "Post"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Post', CAST(NEW."id" AS TEXT), 'create', NULL, (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(NEW."id") AS "value" UNION ALL SELECT 'title' AS "name", json_quote(NEW."title") AS "value" UNION ALL SELECT 'slug' AS "name", json_quote(NEW."slug") AS "value" UNION ALL SELECT 'content' AS "name", json_quote(NEW."content") AS "value" UNION ALL SELECT 'synopsis' AS "name", json_quote(NEW."synopsis") AS "value" UNION ALL SELECT 'publishedAt' AS "name", json_quote(NEW."publishedAt") AS "value" UNION ALL SELECT 'deletedAt' AS "name", json_quote(NEW."deletedAt") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(NEW."createdAt") AS "value" UNION ALL SELECT 'updatedAt' AS "name", json_quote(NEW."updatedAt") AS "value" UNION ALL SELECT 'authorId' AS "name", json_quote(NEW."authorId") AS "value"));
END;

DROP TRIGGER IF EXISTS "prismapi_Post_update";
CREATE TRIGGER "prismapi_Post_update" AFTER UPDATE ON "Post" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."title" IS NOT NEW."title" COLLATE BINARY OR OLD."slug" IS NOT NEW."slug" COLLATE BINARY OR OLD."content" IS NOT NEW."content" COLLATE BINARY OR OLD."synopsis" IS NOT NEW."synopsis" COLLATE BINARY OR OLD."publishedAt" IS NOT NEW."publishedAt" COLLATE BINARY OR OLD."deletedAt" IS NOT NEW."deletedAt" COLLATE BINARY OR OLD."createdAt" IS NOT NEW."createdAt" COLLATE BINARY OR OLD."updatedAt" IS NOT NEW."updatedAt" COLLATE BINARY OR OLD."authorId" IS NOT NEW."authorId" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Post', CAST(OLD."id" AS TEXT), 'delete', NULL, NULL WHERE CAST(OLD."id" AS TEXT) <> CAST(NEW."id" AS TEXT) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Post', CAST(NEW."id" AS TEXT), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'title' AS "name", json_quote(OLD."title") AS "before", json_quote(NEW."title") AS "after" UNION ALL SELECT 'slug' AS "name", json_quote(OLD."slug") AS "before", json_quote(NEW."slug") AS "after" UNION ALL SELECT 'content' AS "name", json_quote(OLD."content") AS "before", json_quote(NEW."content") AS "after" UNION ALL SELECT 'synopsis' AS "name", json_quote(OLD."synopsis") AS "before", json_quote(NEW."synopsis") AS "after" UNION ALL SELECT 'publishedAt' AS "name", json_quote(OLD."publishedAt") AS "before", json_quote(NEW."publishedAt") AS "after" UNION ALL SELECT 'deletedAt' AS "name", json_quote(OLD."deletedAt") AS "before", json_quote(NEW."deletedAt") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'updatedAt' AS "name", json_quote(OLD."updatedAt") AS "before", json_quote(NEW."updatedAt") AS "after" UNION ALL SELECT 'authorId' AS "name", json_quote(OLD."authorId") AS "before", json_quote(NEW."authorId") AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'title' AS "name", json_quote(OLD."title") AS "before", json_quote(NEW."title") AS "after" UNION ALL SELECT 'slug' AS "name", json_quote(OLD."slug") AS "before", json_quote(NEW."slug") AS "after" UNION ALL SELECT 'content' AS "name", json_quote(OLD."content") AS "before", json_quote(NEW."content") AS "after" UNION ALL SELECT 'synopsis' AS "name", json_quote(OLD."synopsis") AS "before", json_quote(NEW."synopsis") AS "after" UNION ALL SELECT 'publishedAt' AS "name", json_quote(OLD."publishedAt") AS "before", json_quote(NEW."publishedAt") AS "after" UNION ALL SELECT 'deletedAt' AS "name", json_quote(OLD."deletedAt") AS "before", json_quote(NEW."deletedAt") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'updatedAt' AS "name", json_quote(OLD."updatedAt") AS "before", json_quote(NEW."updatedAt") AS "after" UNION ALL SELECT 'authorId' AS "name", json_quote(OLD."authorId") AS "before", json_quote(NEW."authorId") AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi_Post_delete";
CREATE TRIGGER "prismapi_Post_delete" AFTER DELETE ON "Post"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Post', CAST(OLD."id" AS TEXT), 'delete', (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "value" UNION ALL SELECT 'title' AS "name", json_quote(OLD."title") AS "value" UNION ALL SELECT 'slug' AS "name", json_quote(OLD."slug") AS "value" UNION ALL SELECT 'content' AS "name", json_quote(OLD."content") AS "value" UNION ALL SELECT 'synopsis' AS "name", json_quote(OLD."synopsis") AS "value" UNION ALL SELECT 'publishedAt' AS "name", json_quote(OLD."publishedAt") AS "value" UNION ALL SELECT 'deletedAt' AS "name", json_quote(OLD."deletedAt") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "value" UNION ALL SELECT 'updatedAt' AS "name", json_quote(OLD."updatedAt") AS "value" UNION ALL SELECT 'authorId' AS "name", json_quote(OLD."authorId") AS "value")), NULL;
END;

DROP TRIGGER IF EXISTS "prismapi_Tag_insert";
CREATE TRIGGER "prismapi_Tag_insert" AFTER INSERT ON "Tag"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Tag', CAST(NEW."id" AS TEXT), 'create', NULL, (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(NEW."id") AS "value" UNION ALL SELECT 'name' AS "name", json_quote(NEW."name") AS "value"));
END;

DROP TRIGGER IF EXISTS "prismapi_Tag_update";
CREATE TRIGGER "prismapi_Tag_update" AFTER UPDATE ON "Tag" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."name" IS NOT NEW."name" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Tag', CAST(OLD."id" AS TEXT), 'delete', NULL, NULL WHERE CAST(OLD."id" AS TEXT) <> CAST(NEW."id" AS TEXT) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Tag', CAST(NEW."id" AS TEXT), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'name' AS "name", json_quote(OLD."name") AS "before", json_quote(NEW."name") AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'name' AS "name", json_quote(OLD."name") AS "before", json_quote(NEW."name") AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi_Tag_delete";
CREATE TRIGGER "prismapi_Tag_delete" AFTER DELETE ON "Tag"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Tag', CAST(OLD."id" AS TEXT), 'delete', (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "value" UNION ALL SELECT 'name' AS "name", json_quote(OLD."name") AS "value")), NULL;
END;

DROP TRIGGER IF EXISTS "prismapi_Video_insert";
CREATE TRIGGER "prismapi_Video_insert" AFTER INSERT ON "Video"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Video', CAST(NEW."id" AS TEXT), 'create', NULL, (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(NEW."id") AS "value" UNION ALL SELECT 'title' AS "name", json_quote(NEW."title") AS "value" UNION ALL SELECT 'url' AS "name", json_quote(NEW."url") AS "value" UNION ALL SELECT 'featured' AS "name", CASE NEW."featured" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END AS "value" UNION ALL SELECT 'durationSeconds' AS "name", json_quote(NEW."durationSeconds") AS "value" UNION ALL SELECT 'rating' AS "name", json_quote(NEW."rating") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(NEW."createdAt") AS "value" UNION ALL SELECT 'ownerId' AS "name", json_quote(NEW."ownerId") AS "value"));
END;

DROP TRIGGER IF EXISTS "prismapi_Video_update";
CREATE TRIGGER "prismapi_Video_update" AFTER UPDATE ON "Video" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."title" IS NOT NEW."title" COLLATE BINARY OR OLD."url" IS NOT NEW."url" COLLATE BINARY OR OLD."featured" IS NOT NEW."featured" COLLATE BINARY OR OLD."durationSeconds" IS NOT NEW."durationSeconds" COLLATE BINARY OR OLD."rating" IS NOT NEW."rating" COLLATE BINARY OR OLD."createdAt" IS NOT NEW."createdAt" COLLATE BINARY OR OLD."ownerId" IS NOT NEW."ownerId" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Video', CAST(OLD."id" AS TEXT), 'delete', NULL, NULL WHERE CAST(OLD."id" AS TEXT) <> CAST(NEW."id" AS TEXT) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Video', CAST(NEW."id" AS TEXT), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'title' AS "name", json_quote(OLD."title") AS "before", json_quote(NEW."title") AS "after" UNION ALL SELECT 'url' AS "name", json_quote(OLD."url") AS "before", json_quote(NEW."url") AS "after" UNION ALL SELECT 'featured' AS "name", CASE OLD."featured" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END AS "before", CASE NEW."featured" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END AS "after" UNION ALL SELECT 'durationSeconds' AS "name", json_quote(OLD."durationSeconds") AS "before", json_quote(NEW."durationSeconds") AS "after" UNION ALL SELECT 'rating' AS "name", json_quote(OLD."rating") AS "before", json_quote(NEW."rating") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'ownerId' AS "name", json_quote(OLD."ownerId") AS "before", json_quote(NEW."ownerId") AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'title' AS "name", json_quote(OLD."title") AS "before", json_quote(NEW."title") AS "after" UNION ALL SELECT 'url' AS "name", json_quote(OLD."url") AS "before", json_quote(NEW."url") AS "after" UNION ALL SELECT 'featured' AS "name", CASE OLD."featured" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END AS "before", CASE NEW."featured" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END AS "after" UNION ALL SELECT 'durationSeconds' AS "name", json_quote(OLD."durationSeconds") AS "before", json_quote(NEW."durationSeconds") AS "after" UNION ALL SELECT 'rating' AS "name", json_quote(OLD."rating") AS "before", json_quote(NEW."rating") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'ownerId' AS "name", json_quote(OLD."ownerId") AS "before", json_quote(NEW."ownerId") AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi_Video_delete";
CREATE TRIGGER "prismapi_Video_delete" AFTER DELETE ON "Video"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Video', CAST(OLD."id" AS TEXT), 'delete', (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "value" UNION ALL SELECT 'title' AS "name", json_quote(OLD."title") AS "value" UNION ALL SELECT 'url' AS "name", json_quote(OLD."url") AS "value" UNION ALL SELECT 'featured' AS "name", CASE OLD."featured" WHEN 1 THEN 'true' WHEN 0 THEN 'false' ELSE 'null' END AS "value" UNION ALL SELECT 'durationSeconds' AS "name", json_quote(OLD."durationSeconds") AS "value" UNION ALL SELECT 'rating' AS "name", json_quote(OLD."rating") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "value" UNION ALL SELECT 'ownerId' AS "name", json_quote(OLD."ownerId") AS "value")), NULL;
END;

DROP TRIGGER IF EXISTS "prismapi_Comment_insert";
CREATE TRIGGER "prismapi_Comment_insert" AFTER INSERT ON "Comment"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Comment', CAST(NEW."id" AS TEXT), 'create', NULL, (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(NEW."id") AS "value" UNION ALL SELECT 'content' AS "name", json_quote(NEW."content") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(NEW."createdAt") AS "value" UNION ALL SELECT 'authorId' AS "name", json_quote(NEW."authorId") AS "value" UNION ALL SELECT 'postId' AS "name", json_quote(NEW."postId") AS "value" UNION ALL SELECT 'videoId' AS "name", json_quote(NEW."videoId") AS "value"));
END;

DROP TRIGGER IF EXISTS "prismapi_Comment_update";
CREATE TRIGGER "prismapi_Comment_update" AFTER UPDATE ON "Comment" WHEN OLD."id" IS NOT NEW."id" COLLATE BINARY OR OLD."content" IS NOT NEW."content" COLLATE BINARY OR OLD."createdAt" IS NOT NEW."createdAt" COLLATE BINARY OR OLD."authorId" IS NOT NEW."authorId" COLLATE BINARY OR OLD."postId" IS NOT NEW."postId" COLLATE BINARY OR OLD."videoId" IS NOT NEW."videoId" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Comment', CAST(OLD."id" AS TEXT), 'delete', NULL, NULL WHERE CAST(OLD."id" AS TEXT) <> CAST(NEW."id" AS TEXT) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Comment', CAST(NEW."id" AS TEXT), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'content' AS "name", json_quote(OLD."content") AS "before", json_quote(NEW."content") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'authorId' AS "name", json_quote(OLD."authorId") AS "before", json_quote(NEW."authorId") AS "after" UNION ALL SELECT 'postId' AS "name", json_quote(OLD."postId") AS "before", json_quote(NEW."postId") AS "after" UNION ALL SELECT 'videoId' AS "name", json_quote(OLD."videoId") AS "before", json_quote(NEW."videoId") AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "before", json_quote(NEW."id") AS "after" UNION ALL SELECT 'content' AS "name", json_quote(OLD."content") AS "before", json_quote(NEW."content") AS "after" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "before", json_quote(NEW."createdAt") AS "after" UNION ALL SELECT 'authorId' AS "name", json_quote(OLD."authorId") AS "before", json_quote(NEW."authorId") AS "after" UNION ALL SELECT 'postId' AS "name", json_quote(OLD."postId") AS "before", json_quote(NEW."postId") AS "after" UNION ALL SELECT 'videoId' AS "name", json_quote(OLD."videoId") AS "before", json_quote(NEW."videoId") AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi_Comment_delete";
CREATE TRIGGER "prismapi_Comment_delete" AFTER DELETE ON "Comment"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    'Comment', CAST(OLD."id" AS TEXT), 'delete', (SELECT json_group_object("name", json("value")) FROM (SELECT 'id' AS "name", json_quote(OLD."id") AS "value" UNION ALL SELECT 'content' AS "name", json_quote(OLD."content") AS "value" UNION ALL SELECT 'createdAt' AS "name", json_quote(OLD."createdAt") AS "value" UNION ALL SELECT 'authorId' AS "name", json_quote(OLD."authorId") AS "value" UNION ALL SELECT 'postId' AS "name", json_quote(OLD."postId") AS "value" UNION ALL SELECT 'videoId' AS "name", json_quote(OLD."videoId") AS "value")), NULL;
END;

DROP TRIGGER IF EXISTS "prismapi__PostToTag_insert";
CREATE TRIGGER "prismapi__PostToTag_insert" AFTER INSERT ON "_PostToTag"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_PostToTag', json_array(CAST(NEW."A" AS TEXT), CAST(NEW."B" AS TEXT)), 'create', NULL, NULL;
END;

DROP TRIGGER IF EXISTS "prismapi__PostToTag_update";
CREATE TRIGGER "prismapi__PostToTag_update" AFTER UPDATE ON "_PostToTag" WHEN OLD."A" IS NOT NEW."A" COLLATE BINARY OR OLD."B" IS NOT NEW."B" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_PostToTag', json_array(CAST(OLD."A" AS TEXT), CAST(OLD."B" AS TEXT)), 'delete', NULL, NULL WHERE json_array(CAST(OLD."A" AS TEXT), CAST(OLD."B" AS TEXT)) <> json_array(CAST(NEW."A" AS TEXT), CAST(NEW."B" AS TEXT)) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_PostToTag', json_array(CAST(NEW."A" AS TEXT), CAST(NEW."B" AS TEXT)), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT NULL AS "name", NULL AS "before", NULL AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT NULL AS "name", NULL AS "before", NULL AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi__PostToTag_delete";
CREATE TRIGGER "prismapi__PostToTag_delete" AFTER DELETE ON "_PostToTag"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_PostToTag', json_array(CAST(OLD."A" AS TEXT), CAST(OLD."B" AS TEXT)), 'delete', NULL, NULL;
END;

DROP TRIGGER IF EXISTS "prismapi__TagToVideo_insert";
CREATE TRIGGER "prismapi__TagToVideo_insert" AFTER INSERT ON "_TagToVideo"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_TagToVideo', json_array(CAST(NEW."A" AS TEXT), CAST(NEW."B" AS TEXT)), 'create', NULL, NULL;
END;

DROP TRIGGER IF EXISTS "prismapi__TagToVideo_update";
CREATE TRIGGER "prismapi__TagToVideo_update" AFTER UPDATE ON "_TagToVideo" WHEN OLD."A" IS NOT NEW."A" COLLATE BINARY OR OLD."B" IS NOT NEW."B" COLLATE BINARY
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_TagToVideo', json_array(CAST(OLD."A" AS TEXT), CAST(OLD."B" AS TEXT)), 'delete', NULL, NULL WHERE json_array(CAST(OLD."A" AS TEXT), CAST(OLD."B" AS TEXT)) <> json_array(CAST(NEW."A" AS TEXT), CAST(NEW."B" AS TEXT)) COLLATE BINARY;
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_TagToVideo', json_array(CAST(NEW."A" AS TEXT), CAST(NEW."B" AS TEXT)), 'update', (SELECT json_group_object("name", json("before")) FROM (SELECT * FROM (SELECT NULL AS "name", NULL AS "before", NULL AS "after") WHERE "before" IS NOT "after")), (SELECT json_group_object("name", json("after")) FROM (SELECT * FROM (SELECT NULL AS "name", NULL AS "before", NULL AS "after") WHERE "before" IS NOT "after"));
END;

DROP TRIGGER IF EXISTS "prismapi__TagToVideo_delete";
CREATE TRIGGER "prismapi__TagToVideo_delete" AFTER DELETE ON "_TagToVideo"
BEGIN
  INSERT INTO "Change" ("id", "at", "model", "key", "action", "before", "after")
  SELECT coalesce((SELECT max("id") FROM "Change"), 0) + 1, strftime('%Y-%m-%dT%H:%M:%f+00:00', 'now'),
    '_TagToVideo', json_array(CAST(OLD."A" AS TEXT), CAST(OLD."B" AS TEXT)), 'delete', NULL, NULL;
END;
