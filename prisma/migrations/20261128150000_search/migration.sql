-- prismapi search zfnhPq9EPxdHZwKxFwfd7g

DROP TABLE IF EXISTS "Post_search";

CREATE VIRTUAL TABLE "Post_search" USING fts5("title", "synopsis", "content", content="Post", content_rowid=rowid, tokenize='porter unicode61 remove_diacritics 2');

INSERT INTO "Post_search" ("Post_search") VALUES ('rebuild');

DROP TRIGGER IF EXISTS "prismapi_search_Post_insert";
CREATE TRIGGER "prismapi_search_Post_insert" AFTER INSERT ON "Post"
BEGIN
  INSERT INTO "Post_search" (rowid, "title", "synopsis", "content") VALUES (NEW.rowid, NEW."title", NEW."synopsis", NEW."content");
END;

DROP TRIGGER IF EXISTS "prismapi_search_Post_update";
CREATE TRIGGER "prismapi_search_Post_update" AFTER UPDATE ON "Post" WHEN OLD.rowid IS NOT NEW.rowid OR OLD."title" IS NOT NEW."title" OR OLD."synopsis" IS NOT NEW."synopsis" OR OLD."content" IS NOT NEW."content"
BEGIN
  INSERT INTO "Post_search" ("Post_search", rowid, "title", "synopsis", "content") VALUES ('delete', OLD.rowid, OLD."title", OLD."synopsis", OLD."content");
  INSERT INTO "Post_search" (rowid, "title", "synopsis", "content") VALUES (NEW.rowid, NEW."title", NEW."synopsis", NEW."content");
END;

DROP TRIGGER IF EXISTS "prismapi_search_Post_delete";
CREATE TRIGGER "prismapi_search_Post_delete" AFTER DELETE ON "Post"
BEGIN
  INSERT INTO "Post_search" ("Post_search", rowid, "title", "synopsis", "content") VALUES ('delete', OLD.rowid, OLD."title", OLD."synopsis", OLD."content");
END;

DROP TABLE IF EXISTS "Video_search";

CREATE VIRTUAL TABLE "Video_search" USING fts5("title", content="Video", content_rowid=rowid, tokenize='porter unicode61 remove_diacritics 2');

INSERT INTO "Video_search" ("Video_search") VALUES ('rebuild');

DROP TRIGGER IF EXISTS "prismapi_search_Video_insert";
CREATE TRIGGER "prismapi_search_Video_insert" AFTER INSERT ON "Video"
BEGIN
  INSERT INTO "Video_search" (rowid, "title") VALUES (NEW.rowid, NEW."title");
END;

DROP TRIGGER IF EXISTS "prismapi_search_Video_update";
CREATE TRIGGER "prismapi_search_Video_update" AFTER UPDATE ON "Video" WHEN OLD.rowid IS NOT NEW.rowid OR OLD."title" IS NOT NEW."title"
BEGIN
  INSERT INTO "Video_search" ("Video_search", rowid, "title") VALUES ('delete', OLD.rowid, OLD."title");
  INSERT INTO "Video_search" (rowid, "title") VALUES (NEW.rowid, NEW."title");
END;

DROP TRIGGER IF EXISTS "prismapi_search_Video_delete";
CREATE TRIGGER "prismapi_search_Video_delete" AFTER DELETE ON "Video"
BEGIN
  INSERT INTO "Video_search" ("Video_search", rowid, "title") VALUES ('delete', OLD.rowid, OLD."title");
END;
