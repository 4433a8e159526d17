if not known() then return {'unknown stream'} end
each_record('DEL')
redis.call('DEL', log, notices, meta, steps, records)
changed()
return {'ok'}
