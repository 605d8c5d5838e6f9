// internal/vm_module/parts -- what node:vm lends to the modules of vm; it fills this when it loads.
//
// native, contextOf, findContext(object), checkRunOptions, evaluate, limitError, cacheOf, bytesOf:
// see node:vm. They are not among its exports, where programs would find them.
