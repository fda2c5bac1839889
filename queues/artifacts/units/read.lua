-- conversation, name or empty -> when it was written, bytes, json, text, ... of the one with this name, or of all without their texts, oldest first
local kept, flat = artifacts(), {}
for _, one in ipairs(kept.all(now())) do
  if not one.isGone and (ARGV[2] == '' or one.name == ARGV[2]) then
    local text = ARGV[2] == '' and '' or redis.call('HGET', kept.texts, one.name)
    if text then
      for _, said in ipairs({ whole(one.at), whole(one.bytes), one.json, text }) do flat[#flat + 1] = said end
    end
  end
end
return flat
