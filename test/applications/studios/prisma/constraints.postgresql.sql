-- A room has one booking at a time, except for cancelled ones.
CREATE EXTENSION IF NOT EXISTS btree_gist;
ALTER TABLE "Booking" ADD CONSTRAINT "booking_no_overlap"
  EXCLUDE USING gist ("roomId" WITH =, tstzrange("startsAt", "endsAt") WITH &&) WHERE ("status" <> 'CANCELLED');
ALTER TABLE "Booking" ADD CONSTRAINT "booking_ends_later" CHECK ("endsAt" > "startsAt");
