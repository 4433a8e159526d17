-- ARGV: the word for the status, how many bytes the stream may take, the size of the event, how many milliseconds a
-- finished stream is kept, 0 for ever, and the fields of the event.
if not known() then return {'unknown stream'} end
if finished() then return {'ok'} end
local size = number('size') + tonumber(ARGV[4])
if size > tonumber(ARGV[3]) then return {'full'} end
local sequence = text(number('highest') + 1)
redis.call('XADD', log, sequence .. '-0', unpack(ARGV, 6))
redis.call('HSET', meta, 'highest', sequence, 'terminal', sequence, 'word', ARGV[2], 'size', text(size))
if ARGV[5] ~= '0' then
  for i = 1, 4 do redis.call('PEXPIRE', KEYS[i], ARGV[5]) end
  redis.call('PEXPIRE', records, ARGV[5])
  each_record('PEXPIRE', ARGV[5])
end
changed()
return {'ok'}
