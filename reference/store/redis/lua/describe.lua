if not known() then return {'unknown stream'} end
return {'ok', describe()}
