-- conversation, name or empty -> when it was written, bytes, json, text, ... of the one with this name, or of all without their texts, oldest first
local kept, flat, at = artifacts(), {}, now()
local found = ARGV[2] == '' and kept.all(at) or { kept.find(ARGV[2], at) or nil }
for _, one in ipairs(found) do
  if not one.isGone then
    local text = ARGV[2] == '' and '' or redis.call('HGET', kept.texts, one.name)
    if text then
      for _, said in ipairs({ whole(one.at), whole(one.bytes), one.json, text }) do flat[#flat + 1] = said end
    end
  end
end
return flat
