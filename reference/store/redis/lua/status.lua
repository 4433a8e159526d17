-- ARGV: the word.
if not known() then return {'unknown stream'} end
if finished() then return {'finished'} end
local paused = ARGV[2] == 'paused' and '1' or '0'
if (redis.call('HGET', meta, 'paused') or '0') == paused then return {'ok'} end
redis.call('HSET', meta, 'paused', paused)
notify('p', ARGV[2])
changed()
return {'ok'}
