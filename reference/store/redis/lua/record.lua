-- ARGV: the key of the record, the version that it has to have, the text, '' to remove it, and for how many milliseconds one
-- of no stream is kept, 0 for ever. The name of the stream is '' for none.
local record = ARGV[2]
local version = redis.call('HGET', record, 'v') or '0'
if version ~= ARGV[3] then return {'outdated'} end
if ARGV[4] == '' then
  redis.call('DEL', record)
  redis.call('SREM', records, record)
  return {'ok'}
end
if name ~= '' and not known() then return {'unknown stream'} end
redis.call('HSET', record, 'v', text(tonumber(version) + 1), 't', ARGV[4])
local kept = tonumber(ARGV[5])
if name ~= '' then
  redis.call('SADD', records, record)
  kept = redis.call('PTTL', meta) -- below 0 while the stream isn't finished
  if kept > 0 then redis.call('PEXPIRE', records, text(kept)) end
end
if kept > 0 then redis.call('PEXPIRE', record, text(kept)) end
return {'ok'}
