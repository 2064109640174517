-- A room has one booking at a time, except for cancelled ones. SQLite has no exclusion constraints, so triggers refuse.
CREATE TRIGGER "booking_no_overlap_insert" BEFORE INSERT ON "Booking"
WHEN NEW."status" <> 'CANCELLED' AND EXISTS (
  SELECT 1 FROM "Booking" WHERE "roomId" = NEW."roomId" AND "status" <> 'CANCELLED'
    AND "startsAt" < NEW."endsAt" AND "endsAt" > NEW."startsAt")
BEGIN SELECT RAISE(ABORT, 'booking_no_overlap'); END;

CREATE TRIGGER "booking_no_overlap_update" BEFORE UPDATE ON "Booking"
WHEN NEW."status" <> 'CANCELLED' AND EXISTS (
  SELECT 1 FROM "Booking" WHERE "roomId" = NEW."roomId" AND "status" <> 'CANCELLED' AND "id" <> NEW."id"
    AND "startsAt" < NEW."endsAt" AND "endsAt" > NEW."startsAt")
BEGIN SELECT RAISE(ABORT, 'booking_no_overlap'); END;

CREATE TRIGGER "booking_ends_later_insert" BEFORE INSERT ON "Booking" WHEN NEW."endsAt" <= NEW."startsAt"
BEGIN SELECT RAISE(ABORT, 'booking_ends_later'); END;

CREATE TRIGGER "booking_ends_later_update" BEFORE UPDATE ON "Booking" WHEN NEW."endsAt" <= NEW."startsAt"
BEGIN SELECT RAISE(ABORT, 'booking_ends_later'); END;
