// `bcryptprimitives.dll`, which wine 8 lacks, with the one function that Rust's library calls.
#include <windows.h>

// RtlGenRandom, by the name that it is exported under.
BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length)
{
    return SystemFunction036(data, length);
}
