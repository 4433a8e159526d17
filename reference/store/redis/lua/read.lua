-- ARGV: the edition and the sequence that the caller knows. Returns the description, the initial state and the log.
if not known() then return {'unknown stream'} end
local d, from = describe(), '-'
if d[2] == ARGV[2] then from = '(' .. ARGV[3] .. '-0' end
return {'ok', d, redis.call('HGET', meta, 'initial') or '', redis.call('XRANGE', log, from, '+')}
