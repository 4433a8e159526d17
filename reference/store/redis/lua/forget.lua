-- Removes the records of the stream.
each_record('DEL')
redis.call('DEL', records)
return {'ok'}
