-- prismapi search TfHzdaNlMPOOEKfI7sKhZL

DROP INDEX IF EXISTS "Post_search";

CREATE INDEX "Post_search" ON "Post" USING GIN ((setweight(to_tsvector('english'::regconfig, coalesce("title", '')), 'A') || setweight(to_tsvector('english'::regconfig, coalesce("synopsis", '')), 'B') || setweight(to_tsvector('english'::regconfig, coalesce("content", '')), 'C')));

DROP INDEX IF EXISTS "Video_search";

CREATE INDEX "Video_search" ON "Video" USING GIN ((setweight(to_tsvector('english'::regconfig, coalesce("title", '')), 'A')));
