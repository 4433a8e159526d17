-- ARGV: the id that the caller has read up to, and how many entries it takes of each. Returns the life of the stream, and
-- what lies in the log and among the notices after the id.
if not known() then return {'unknown stream'} end
local from = '(' .. ARGV[2]
return {'ok', redis.call('HGET', meta, 'born'), redis.call('XRANGE', log, from, '+', 'COUNT', ARGV[3]),
  redis.call('XRANGE', notices, from, '+', 'COUNT', ARGV[3])}
